import { HOST, originOf, type RunningServer, type ServerSpec } from '../../../src/launch/server.ts';
import type { Clock } from '../../../src/load/clock.ts';
import type { HandlerTime } from '../../../src/record/record.ts';
import { requestName, unverifiedExchange } from '../../../src/targets/exchange.ts';

import { managersIn } from '../fixtures.ts';
import { ON_NODE, type SampledFunction } from './profile.ts';

/** What a simulated server is like; its cost is known exactly. */
export interface ServerModel {
  /** CPU time of a request once the server has settled, ns. */
  cpuNs: number;
  /** The first requests cost up to so many times as much, which wears off over `settlingRequests`. */
  coldTimes: number;
  settlingRequests: number;
  /** What a request waits for without using CPU, ns. */
  waitNs: number;
  /** Of each process. */
  bytes: number;
  bytesPerResponse: number;
  /** Of the answers, those that have another body than was declared. */
  wrongShare: number;
  /** Why it does not start, or does not answer as declared; null where all is well. */
  failsAt: { when: 'start' | 'verify'; message: string; logTail?: string[] } | null;
  /** Under load, it dies once it has answered so many requests. */
  diesAfterRequests: number;
  /** It dies so long after its start, whatever is asked of it, ns. */
  livesNs: number;
  /** What a command that judges its answers finds out about each. */
  figures: Record<string, number>;
  /** What its own clock says of a request, where anybody asks. */
  handler: HandlerTime;
  /** What V8's sampler finds in it. */
  functions: readonly SampledFunction[];
  /** It never becomes idle, so that its load can't be interleaved. */
  neverIdle: boolean;
  /** What it does for its requests beside answering them. */
  extra: readonly ExtraWork[];
  /** CPU time in every second, whoever asks for anything, ns. */
  idleNsPerS: number;
}

/** Work that nobody waits for: so long after the turn that its request came in, or every so often for all that came since. */
export type ExtraWork =
  | { kind: 'late'; cpuNs: number; afterNs: number }
  | { kind: 'batched'; cpuNs: number; everyNs: number };

/** A server of 10 µs a request that nothing is wrong with. */
export const HEALTHY: ServerModel = {
  cpuNs: 10_000,
  coldTimes: 3,
  settlingRequests: 3000,
  waitNs: 0,
  bytes: 80e6,
  bytesPerResponse: 200,
  wrongShare: 0,
  failsAt: null,
  diesAfterRequests: Number.POSITIVE_INFINITY,
  livesNs: Number.POSITIVE_INFINITY,
  figures: {},
  handler: { medianNs: 0, meanNs: 0, gcNs: 0 },
  functions: ON_NODE,
  neverIdle: false,
  extra: [],
  idleNsPerS: 0,
};

/** Above what a kernel gives: whoever looks for such a process finds none. */
let lastPid = 5_000_000;

/** A server that runs in nothing but the simulation. */
export class SimulatedServer {
  readonly spec: ServerSpec;
  readonly model: ServerModel;
  readonly origin: string;
  readonly pids: number[];
  readonly managerPids: number[];
  /** The folder of the control group that limits its CPU time. */
  readonly cpuGroup: string | null;
  answered = 0;
  /** How many times as dear its requests are in the arrangement that it is in. */
  dearer = 1;
  /** The generators whose load is on it. */
  readonly generators = new Set<number>();
  #isExhausted = false;
  readonly #isOver: () => boolean;
  readonly #clock: Pick<Clock, 'now'>;
  /** Work that is still to be done, and when. */
  #due: { atNs: number; cpuNs: number }[] = [];
  #idleSinceNs: number;

  constructor(spec: ServerSpec, model: ServerModel, clock: Pick<Clock, 'now'>) {
    this.spec = spec;
    this.model = model;
    const startedNs = clock.now();
    this.#clock = clock;
    this.#idleSinceNs = startedNs;
    this.#isOver = () => clock.now() - startedNs >= model.livesNs;
    this.origin = originOf(HOST, spec.port);
    const { scale, cpuLimit } = spec.target;
    const processes = scale.by === 'threads' ? 1 : spec.topology.processes;
    this.pids = Array.from({ length: processes }, () => ++lastPid);
    this.cpuGroup = cpuLimit === null ? null : `/simulated/${spec.key}`;
    this.managerPids = managersIn(spec.topology) === 0 ? [] : [++lastPid];
  }

  get isRunning(): boolean {
    return !this.#isExhausted && !this.#isOver();
  }

  /** The CPU time of the next request, ns, before any noise. */
  get costNs(): number {
    const { cpuNs, coldTimes, settlingRequests } = this.model;
    return (
      cpuNs * this.dearer * (1 + (coldTimes - 1) * Math.exp(-this.answered / settlingRequests))
    );
  }

  /** Answers so many requests; fewer where it dies of them. */
  answer(requests: number): number {
    const left = this.model.diesAfterRequests - this.answered;
    const answered = Math.min(requests, Math.max(0, left));
    this.answered += answered;
    if (answered < requests) this.#isExhausted = true;
    return answered;
  }

  /** So many requests came until now, for which there is more to do. */
  worked(requests: number): void {
    const nowNs = this.#clock.now();
    for (const work of this.model.extra) {
      const atNs =
        work.kind === 'late'
          ? nowNs + work.afterNs
          : Math.ceil(nowNs / work.everyNs) * work.everyNs;
      this.#due.push({ atNs, cpuNs: requests * work.cpuNs });
    }
  }

  /** What it did beside answering until this instant, since it was asked before, ns of CPU. */
  takeExtra(atNs: number): number {
    const done = this.#due.filter((each) => each.atNs <= atNs);
    this.#due = this.#due.filter((each) => each.atNs > atNs);
    const idleNs = (this.model.idleNsPerS * (atNs - this.#idleSinceNs)) / 1e9;
    this.#idleSinceNs = atNs;
    return done.reduce((sum, { cpuNs }) => sum + cpuNs, idleNs);
  }

  /** As the harness sees it. */
  running(): RunningServer {
    const { spec, model, origin, pids, managerPids, cpuGroup } = this;
    const { requests } = spec.target;
    const isJudged = requests.filter(({ expect }) => expect.body.kind === 'check');
    return {
      ...{ spec, origin, pids, managerPids, cpuGroup, startNs: 250e6 },
      judged: isJudged.map((each) => ({ request: requestName(each), figures: model.figures })),
      agreed: requests.map(unverifiedExchange),
      isAlive: () => this.isRunning,
      killedBy: () => null,
      logTail: () => (this.isRunning ? [] : ['simulated: giving up']),
    };
  }
}
