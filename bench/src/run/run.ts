import { UserError } from '../base/errors.ts';
import { serversOf } from '../launch/ready.ts';
import { generatorPool } from '../load/pool.ts';
import { drawLaunch } from '../plan/draw.ts';
import { cellOf, type Group } from '../plan/plan.ts';
import type { ServerRef } from '../plan/topology.ts';
import type { RunRecord, Slice, Start } from '../record/record.ts';
import type { Backend } from './backend.ts';
import type { MeasuredTargets, RunContext, RunEvents, RunningLaunch } from './context.ts';
import { addNotReady } from './failures.ts';
import { GeneratorCounts } from './generators.ts';
import { takeSlices } from './slices.ts';
import { failedServers, type Step, stepsAfter, stepsOf, wholeLaunches } from './steps.ts';
import { warmUpServer } from './warm-up.ts';

/** Carries out a record's plan and fills the record in; leaves nothing running. @throws if the harness can't go on. */
export async function run(
  record: RunRecord,
  { targets, probes = [], readTimer = async () => null }: MeasuredTargets,
  events: RunEvents,
  backend: Backend,
): Promise<void> {
  const { clock } = backend;
  // A run that is continued has taken some time already.
  const startedNs = clock.now() - record.wallNs;
  const sinceStartNs = () => clock.now() - startedNs;
  await using launches = backend.startLaunches(events.now);
  await using pool = generatorPool(backend.startGenerator, clock);
  let current: Step | null = null;
  const given = { record, targets: [...targets, ...probes], readTimer, backend };
  const context: RunContext = {
    ...{ ...events, ...given, launches, pool, sinceStartNs },
    onStep: (step) => {
      current = step;
      events.onStep(step);
    },
    generators: new GeneratorCounts(record),
    harness: [process.pid, ...launches.pids],
    exposed: new Set(),
  };
  const others = launches.otherRuns();
  if (others.length > 0) {
    const who = `process ${others.join(', ')}`;
    events.say(`Another run is measuring on this machine (${who}): they disturb each other.`);
  }
  try {
    for (const [launch, groups] of launchesOf(context)) {
      for (const group of groups) {
        record.hadOtherRuns ||= launches.otherRuns().length > 0;
        if (!events.soon.aborted) await runGroup(launch, group, context);
      }
    }
    record.state = events.soon.aborted ? 'interrupted' : 'complete';
  } catch (error) {
    record.state = 'interrupted';
    if (!events.now.aborted) throw withCells(error, current);
  } finally {
    record.wallNs = sinceStartNs();
    // The guardian may have been killed; that is no reason to lose the record.
    const guardianBytes = await launches.readMemory(launches.pids).catch(() => 0);
    const peakBytes = backend.peakBytes() + guardianBytes;
    record.harnessPeakBytes = Math.max(record.harnessPeakBytes, peakBytes);
  }
}

/** An error for the user names the cells of the step in which it was thrown. */
function withCells(error: unknown, step: Step | null): unknown {
  if (!(error instanceof UserError) || step === null || !('cells' in step)) return error;
  const ids = step.cells.map(({ id }) => id).join(', ');
  return new UserError(`${ids}: ${error.message}`, error.next, { cause: error });
}

/** The planned launches that are not measured yet, then as many more as are needed, which are added to the plan. */
function* launchesOf(context: RunContext): Generator<[number, Group[]]> {
  const { record, soon, sinceStartNs } = context;
  const { plan } = record;
  yield* [...plan.launches.entries()].slice(wholeLaunches(record));
  while (!soon.aborted && context.wantsAnother?.(record, sinceStartNs())) {
    const groups = drawLaunch(plan);
    plan.launches.push(groups);
    yield [plan.launches.length - 1, groups];
  }
}

async function runGroup(launch: number, group: Group, context: RunContext): Promise<void> {
  const { record, soon } = context;
  const steps = stepsOf(record.plan, group, failedServers(record));
  if (steps.length === 0 || allFailed(record)) return;
  context.onLaunch(launch, steps, stepsAfter(record, launch, group));
  await using stack = new AsyncDisposableStack();
  const running: RunningLaunch = { ...context, launch, servers: new Map(), services: [] };
  // Discarded slices, which are taken again at the end of the round.
  const due: Slice[] = [];
  for (const step of steps) {
    if (soon.aborted && step.kind !== 'stop') continue;
    context.onStep(step);
    switch (step.kind) {
      case 'start':
        stack.use(await startServers(step.servers, group, running));
        if (allFailed(record)) return;
        if (!soon.aborted) record.starts.push(...(await startsOf(running)));
        break;
      case 'warm-up':
        await warmUpServer(step.cells[0], running);
        break;
      case 'idle':
        await addIdleUse(running);
        break;
      case 'slices':
        due.push(...(await takeSlices(step.cells, step.round, running)));
        break;
      case 'end of round':
        for (let next = due.shift(); next !== undefined; next = due.shift()) {
          due.push(...(await takeSlices([cellOf(record.plan, next.cell)], next.round, running)));
        }
        record.wallNs = context.sinceStartNs();
        // A run that started and ended within this launch has disturbed it too.
        record.hadOtherRuns ||= context.launches.otherRuns().length > 0;
        await context.onRound();
        record.firstTableNs ??= sinceFirstSlice(record, context.sinceStartNs());
        break;
      case 'stop':
        await stack.disposeAsync();
    }
  }
}

/** Starts these servers with their services, and reports ports that other machines may reach. */
async function startServers(refs: ServerRef[], { unverified }: Group, running: RunningLaunch) {
  const { targets, launches, record, exposed, say } = running;
  const { topologies, services } = record.plan;
  const servers = serversOf(refs, targets, topologies);
  const ready = await launches.start({ servers, unverified, services });
  addNotReady(ready, running);
  running.servers = ready.servers;
  running.services = ready.services;
  for (const { pids, managerPids, spec } of ready.servers.values()) {
    const { label, external } = spec.target;
    if (external !== null || exposed.has(label)) continue;
    const ports = launches.exposedPorts([...pids, ...managerPids]);
    if (ports.length === 0) continue;
    exposed.add(label);
    const where = `port ${ports.join(', ')}`;
    say(`${label} listens on ${where} for other machines too, not only on 127.0.0.1.`);
  }
  return ready;
}

/** Servers as they are before their first load, without those that have died by now. */
async function startsOf({ servers, launch, launches }: RunningLaunch): Promise<Start[]> {
  const starts = [...servers].map(async ([server, { pids, judged, startNs }]): Promise<Start[]> => {
    if (pids.length === 0) return [];
    // The first load on a server that is gone reports it.
    const bytes = await launches.readMemory(pids).catch(() => null);
    return bytes === null ? [] : [{ server, launch, bytes, startNs, judged: [...judged] }];
  });
  return (await Promise.all(starts)).flat();
}

/** Records what servers and services use while idle, without those that die meanwhile, which is found out later. */
async function addIdleUse({ servers, services, launch, record, backend, now }: RunningLaunch) {
  const used = await backend.measureIdle([...servers.values(), ...services], now);
  for (const [server, running] of servers) {
    const nsPerS = used.get(running);
    if (nsPerS !== undefined) record.idle.push({ server, launch, nsPerS });
  }
  for (const service of services) {
    const idleNsPerS = used.get(service);
    const { name, version } = service;
    if (idleNsPerS !== undefined) record.services.push({ name, launch, version, idleNsPerS });
  }
}

/** Whether every server that is to be compared has failed; probes alone are not worth measuring. */
function allFailed(record: RunRecord): boolean {
  const failed = failedServers(record);
  return record.plan.cells.every(({ server }) => failed.has(server));
}

function sinceFirstSlice({ slices: [first] }: RunRecord, nowNs: number): number | null {
  return first ? nowNs - first.startedNs - first.measurement.windowNs : null;
}
