import type { RunningServer } from '../launch/server.ts';
import type { LaunchSession } from '../launch/session.ts';
import type { RunningCell } from '../load/order.ts';
import type { GeneratorPool } from '../load/pool.ts';
import { type Cell, loadOf, sampledCellOf, topologyOf } from '../plan/plan.ts';
import type { HandlerTime, RunRecord, Slice } from '../record/record.ts';
import type { RunningService } from '../services/index.ts';
import type { SampledProfile } from '../system/inspector.ts';
import type { LocalTarget } from '../targets/targets.ts';
import type { ArrangeOptions } from './arrange.ts';
import type { Backend } from './backend.ts';
import type { GeneratorCounts } from './generators.ts';
import type { Step } from './steps.ts';

/** What is measured, and what is asked of a server after each of its slices. */
export interface MeasuredTargets {
  targets: LocalTarget[];
  /** Measured once in each launch, and shown in no table. */
  probes?: LocalTarget[];
  readTimer?: ReadTimer;
}

/** The server's own timer, if it has one, for requests since this instant of the monotonic clock, ns. */
export type ReadTimer = (
  server: RunningServer,
  ask: Backend['ask'],
  sinceNs: number,
) => Promise<HandlerTime | null>;

/** What the caller of a run may observe and stop. */
export interface RunEvents {
  /** A launch of a group begins: its steps, and those planned after it. */
  onLaunch(launch: number, steps: Step[], after: Step[]): void;
  onStep(step: Step): void;
  /** Tells the user what goes wrong, and what is done about it. */
  say(text: string): void;
  /** A round has ended and is in the record. */
  onRound(): Promise<void>;
  onProfile?(
    slice: Pick<Slice, 'cell' | 'launch' | 'round'>,
    sampled: SampledProfile,
  ): Promise<void>;
  /** Whether a run needs another launch after its planned ones, `elapsedNs` after its start. */
  wantsAnother?(record: RunRecord, elapsedNs: number): boolean;
  /** Aborted: stop after the current slice, or within an interleaving at once. */
  soon: AbortSignal;
  /** Aborted: stop at once. */
  now: AbortSignal;
}

/** What the parts of a run share. */
export interface RunContext extends RunEvents {
  targets: LocalTarget[];
  readTimer: ReadTimer;
  record: RunRecord;
  pool: GeneratorPool;
  generators: GeneratorCounts;
  backend: Backend;
  launches: LaunchSession;
  /** The pids of the harness itself. */
  harness: number[];
  sinceStartNs: () => number;
  /** The labels of servers that other machines may reach, once that was said. */
  exposed: Set<string>;
}

/** What the steps of a launch of a group share. */
export interface RunningLaunch extends RunContext {
  launch: number;
  /** The servers that are up, by key; a server that fails is removed. */
  servers: Map<string, RunningServer>;
  services: RunningService[];
}

/** A cell on its server; null if that has failed. */
export function runningCell(cell: Cell, { record, servers, harness }: RunningLaunch) {
  const server = servers.get(cell.server);
  if (server === undefined) return null;
  const { plan } = record;
  const load = loadOf(plan, cell.load);
  return { cell, load, topology: topologyOf(plan, cell.topology), server, plan, harness };
}

/** Acts while everything is as the cell's arrangement requires. */
export async function withArrangement<T>(
  { cell, topology, server, plan }: RunningCell,
  { record: { machine }, backend, servers }: RunningLaunch,
  onWatched: ArrangeOptions['onWatched'],
  act: () => Promise<T>,
): Promise<T> {
  const all = [...servers.values()].flatMap(({ pids }) => pids);
  await using _arrangement = await backend.arrange(cell.arrangement, {
    server,
    others: all.filter((pid) => !server.pids.includes(pid)),
    cores: { own: topology.cores ?? machine.cores, all: machine.cores },
    isSampledInOthers: sampledCellOf(plan, cell) !== null,
    onWatched,
  });
  return await act();
}
