import getPort from 'get-port';
import { UserError } from '../../base/errors.ts';
import { startGuarded } from '../../launch/context.ts';
import { launch } from '../../launch/launch.ts';
import {
  HOST,
  type LaunchContext,
  type RunningServer,
  type ServerFailure,
  type ServerSpec,
} from '../../launch/server.ts';
import { verify } from '../../launch/verify.ts';
import type { Generator } from '../../load/generator.ts';
import { measure } from '../../load/measure.ts';
import type { Measurement } from '../../load/measurement.ts';
import { generatorCores, sliceOrder, warmupOrder } from '../../load/order.ts';
import { GeneratorPool } from '../../load/pool.ts';
import type { Order } from '../../load/protocol.ts';
import { type Cell, topologyOf } from '../../plan/plan.ts';
import type { ServerRef } from '../../plan/topology.ts';
import { type RunEvents, WARMUPS, warmupWindow } from '../../run/run.ts';
import { arrange } from './arrange.ts';
import { type PriceLaunch, type PricePlan, priceTarget, type Variant } from './plan.ts';
import type { PriceRecord } from './record.ts';

/** What the outside may want to see or to stop while a price run goes on. */
export interface PriceEvents extends Pick<RunEvents, 'soon' | 'now'> {
  onLaunch(launch: number): void;
  /** A round is over, and the record holds it. */
  onRound(): Promise<void>;
}

interface PriceContext extends PriceEvents {
  record: PriceRecord;
  plan: PricePlan;
  launching: LaunchContext;
  generators: Generator[];
  /** The harness's own processes. */
  harness: number[];
}

/**
 * Carries out a price plan and fills the record in. Nothing that it started is left when it ends, in
 * whatever way.
 * @throws when a server fails or the harness itself can't go on.
 */
export async function runPrice(
  record: PriceRecord,
  plan: PricePlan,
  events: PriceEvents,
): Promise<void> {
  const startedNs = process.hrtime.bigint();
  await using guarded = startGuarded(events.now);
  await using pool = new GeneratorPool();
  const { guardian, launching } = guarded;
  try {
    const [cell] = plan.base.cells;
    const generators = cell ? await pool.take(generatorCores(cell, plan.base, 1)) : [];
    const harness = [process.pid, guardian.pid];
    const context = { ...events, record, plan, launching, generators, harness };
    for (const [number, planned] of plan.launches.entries()) {
      if (events.soon.aborted) break;
      events.onLaunch(number);
      await runLaunch(number, planned, context);
    }
    record.state = events.soon.aborted ? 'interrupted' : 'complete';
  } catch (error) {
    record.state = 'interrupted';
    if (!events.now.aborted) throw error;
  } finally {
    record.wallNs = Number(process.hrtime.bigint() - startedNs);
  }
}

/** One launch: start all servers, verify all but one, warm the twins up, measure, stop. */
async function runLaunch(
  number: number,
  { verified, unverified, rounds }: PriceLaunch,
  context: PriceContext,
): Promise<void> {
  const { plan, launching, harness, soon } = context;
  const refs = [...plan.base.cells, ...plan.neighbours];
  const specs = await Promise.all(refs.map((ref) => specOf(ref, plan)));
  await using launched = await launch(specs, launching);
  const servers = new Map<string, RunningServer>();
  for (const { spec, outcome } of launched.started) {
    if (outcome.state === 'failed') throw failed(spec, outcome.failure);
    const { server } = outcome;
    servers.set(spec.key, server);
    if (spec.key === unverified.server) continue;
    const verdict = await verify(server, launching.signal);
    if (verdict.state === 'verified') continue;
    throw failed(spec, { message: verdict.message, lastWords: server.lastWords() });
  }

  const { cells } = plan.base;
  for (const cell of cells) {
    const server = serverOf(cell, servers);
    for (let time = 0; time < WARMUPS && !soon.aborted; time++) {
      const order = warmupOrder(cell, server, plan.base, harness, warmupWindow(plan.base));
      await load(server, order, context);
    }
  }
  for (const [round, order] of rounds.entries()) {
    for (const variant of order) {
      if (soon.aborted) return;
      const cell = variant === 'unverified' ? unverified : verified;
      const { cpu, window, windowNs } = await loadAs(variant, cell, servers, context);
      const measured = { cpuNs: cpu.server.cpuNs, responses: window.ok, windowNs };
      context.record.slices.push({ launch: number, round, variant, ...measured });
    }
    await context.onRound();
  }
}

async function specOf({ server, target, topology }: ServerRef, plan: PricePlan) {
  const port = await getPort({ host: HOST });
  return {
    key: server,
    target: priceTarget(target),
    topology: topologyOf(plan.base, topology),
    port,
  };
}

/** Measures a server as this variant has it. */
async function loadAs(
  variant: Variant,
  cell: Cell,
  servers: Map<string, RunningServer>,
  context: PriceContext,
): Promise<Measurement> {
  const all = context.record.machine.cores;
  const own = topologyOf(context.plan.base, cell.topology).cores ?? all;
  const server = serverOf(cell, servers);
  const { pids } = server;
  const others = [...servers.values()].flatMap((server) => server.pids);
  await using _arrangement = await arrange(variant, {
    pids,
    others: others.filter((pid) => !pids.includes(pid)),
    cores: { own, all },
  });
  const order = sliceOrder(cell, server, context.plan.base, context.harness);
  return await load(server, order, context);
}

/** Has an order carried out on a server. @throws when it is lost or the run is to end at once. */
async function load(
  server: RunningServer,
  order: Order,
  { generators, now }: PriceContext,
): Promise<Measurement> {
  const measured = await measure(server, order, generators, now);
  if (measured.state === 'failed') throw failed(server.spec, measured.failure);
  return measured.measurement;
}

function serverOf(cell: Cell, servers: Map<string, RunningServer>): RunningServer {
  const server = servers.get(cell.server);
  if (server === undefined) throw new Error(`${cell.server} does not run`);
  return server;
}

function failed(
  { key }: ServerSpec,
  { message, lastWords }: Pick<ServerFailure, 'message' | 'lastWords'>,
): UserError {
  const said = lastWords.map((line) => `\n  ${line}`).join('');
  return new UserError(
    `${key} failed: ${message}${said}`,
    'See whether the machine ran out of memory, and run again.',
  );
}
