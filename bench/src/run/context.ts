import type { RunningServer } from '../launch/server.ts';
import type { LaunchSession } from '../launch/session.ts';
import type { GeneratorPool } from '../load/pool.ts';
import type { Cell } from '../plan/plan.ts';
import type { Failure, Repeat, RunRecord, Slice } from '../record/record.ts';
import type { ServiceFailure } from '../record/services.ts';
import type { RunningService } from '../services/running.ts';
import type { Sampled } from '../system/inspector.ts';
import type { Backend } from './backend.ts';
import type { GeneratorCounts } from './generators.ts';
import type { Calls } from './inlined.ts';
import type { MeasuredTargets } from './measured-targets.ts';
import type { Step } from './steps.ts';

/** What the outside may want to see or to stop while a run goes on. */
export interface RunEvents {
  /** A launch of a group begins: what it does, and what is planned after it. */
  onLaunch(launch: number, steps: Step[], after: Step[]): void;
  onStep(step: Step): void;
  onFailure(failure: Failure): void;
  onServiceFailure(failure: ServiceFailure): void;
  /** A server that was started listens on these ports at an address that other machines may reach. */
  onExposed(server: string, ports: readonly number[]): void;
  /** Other runs are under way on this machine, with these processes. */
  onOtherRuns(pids: readonly number[]): void;
  onRepeat(repeat: Repeat): void;
  /** The generator was the limit of a topology under a load, which has so many of them from here on. */
  onGenerators(condition: Pick<Cell, 'topology' | 'load'>, count: number): void;
  /** A round is over, and the record holds it. */
  onRound(record: RunRecord): Promise<void>;
  /** V8 has sampled a server in a slice. */
  onProfile(slice: Pick<Slice, 'cell' | 'launch' | 'round'>, sampled: Sampled): Promise<void>;
  /** Whether a run whose planned launches are over is to have another one, after so many ns. */
  wantsAnother(record: RunRecord, elapsedNs: number): boolean;
  /** Aborted: end after the current slice; an interleaving is given up. */
  soon: AbortSignal;
  /** Aborted: end at once. */
  now: AbortSignal;
}

/** What the parts of a run share. */
export interface RunContext extends RunEvents, Pick<MeasuredTargets, 'readTimer'> {
  record: RunRecord;
  targets: MeasuredTargets['targets'];
  pool: GeneratorPool;
  generators: GeneratorCounts;
  backend: Backend;
  launches: LaunchSession;
  /** What profiles have shown of each server. */
  calls: WeakMap<RunningServer, Calls>;
  /** The harness's own processes. */
  harness: number[];
  sinceStartNs: () => number;
}

/** What the steps of a launch of a group share. */
export interface RunningLaunch extends RunContext {
  /** From 0. */
  launch: number;
  /** Those that are up, by their keys: one that is lost is taken out. */
  servers: Map<string, RunningServer>;
  services: RunningService[];
}
