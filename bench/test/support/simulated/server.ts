import { HOST, type RunningServer, type ServerSpec } from '../../../src/launch/server.ts';
import { originOf } from '../../../src/launch/sockets.ts';
import type { Clock } from '../../../src/load/clock.ts';
import type { HandlerTime } from '../../../src/record/record.ts';
import { requestName, unverifiedExchange } from '../../../src/targets/exchange.ts';
import { managersIn } from '../topologies.ts';

/** A simulated server, whose costs are known exactly. */
export interface ServerModel {
  /** CPU time of a request once the server has settled, ns. */
  cpuNs: number;
  /** The first request costs this many times as much, which decays over the next few thousand. */
  coldTimes: number;
  /** Memory of each process. */
  bytes: number;
  bytesPerResponse: number;
  /** Share of the answers with another body than declared. */
  wrongShare: number;
  /** Why it does not start or fails its verification; null if it does neither. */
  failsAt: { when: 'start' | 'verify'; message: string; logTail?: string[] } | null;
  /** Dies after it has answered this many requests. */
  diesAfterRequests: number;
  /** Dies this long after its start, ns. */
  livesNs: number;
  /** What the check of a target returns for each answer. */
  figures: Record<string, number>;
  /** The time of a request by the server's own clock. */
  handler: HandlerTime;
  /** Whether it never becomes idle, so that its load can't be interleaved. */
  neverIdle: boolean;
  /** Work for its requests besides answering them. */
  extra: readonly ExtraWork[];
  /** CPU time per second without any requests, ns. */
  idleNsPerS: number;
}

/** Work that no request waits for: some time after its turn, or at intervals for all requests since. */
export type ExtraWork =
  | { kind: 'late'; cpuNs: number; afterNs: number }
  | { kind: 'batched'; cpuNs: number; everyNs: number };

/** A server that takes 10 µs for a request, with nothing wrong. */
export const HEALTHY: ServerModel = {
  cpuNs: 10_000,
  coldTimes: 3,
  bytes: 80e6,
  bytesPerResponse: 200,
  wrongShare: 0,
  failsAt: null,
  diesAfterRequests: Number.POSITIVE_INFINITY,
  livesNs: Number.POSITIVE_INFINITY,
  figures: {},
  handler: { medianNs: 0, meanNs: 0, gcNs: 0 },
  neverIdle: false,
  extra: [],
  idleNsPerS: 0,
};

const SETTLING_REQUESTS = 3000;

/** Higher than any pid of a real process. */
let lastPid = 5_000_000;

export type SimulatedServer = ReturnType<typeof simulateServer>;

export function simulateServer(spec: ServerSpec, model: ServerModel, clock: Pick<Clock, 'now'>) {
  const { scale, cpuLimit, requests } = spec.target;
  const processes = scale.by === 'threads' ? 1 : spec.topology.processes;
  const seen = {
    spec,
    origin: originOf(HOST, spec.port),
    pids: Array.from({ length: processes }, () => ++lastPid),
    managerPids: managersIn(spec.topology) === 0 ? [] : [++lastPid],
    /** The folder of the control group with its CPU limit. */
    cpuGroup: cpuLimit === null ? null : `/simulated/${spec.key}`,
  };
  const endsNs = clock.now() + model.livesNs;
  let idleSinceNs = clock.now();
  let isExhausted = false;
  let due: { atNs: number; cpuNs: number }[] = [];
  return {
    ...{ ...seen, model, answered: 0, generators: new Set<symbol>() },
    /** How many times as much a request costs in the current arrangement. */
    dearer: 1,
    get isRunning(): boolean {
      return !isExhausted && clock.now() < endsNs;
    },
    /** The CPU time of the next request, ns, before any noise. */
    get costNs(): number {
      const cold = (model.coldTimes - 1) * Math.exp(-this.answered / SETTLING_REQUESTS);
      return model.cpuNs * this.dearer * (1 + cold);
    },
    /** Answers requests until it dies, and returns how many. */
    answer(asked: number): number {
      const left = model.diesAfterRequests - this.answered;
      const answered = Math.min(asked, Math.max(0, left));
      this.answered += answered;
      if (answered < asked) isExhausted = true;
      return answered;
    },
    /** Adds the extra work for this many requests. */
    worked(answered: number): void {
      const nowNs = clock.now();
      for (const work of model.extra) {
        const isLate = work.kind === 'late';
        const atNs = isLate ? nowNs + work.afterNs : Math.ceil(nowNs / work.everyNs) * work.everyNs;
        due.push({ atNs, cpuNs: answered * work.cpuNs });
      }
    },
    /** CPU time of extra and idle work since the last call, ns. */
    takeExtra(atNs: number): number {
      const done = due.filter((each) => each.atNs <= atNs);
      due = due.filter((each) => each.atNs > atNs);
      const idleNs = (model.idleNsPerS * (atNs - idleSinceNs)) / 1e9;
      idleSinceNs = atNs;
      return done.reduce((sum, { cpuNs }) => sum + cpuNs, idleNs);
    },
    /** The server as the harness sees it. */
    running(): RunningServer {
      const isJudged = requests.filter(({ expect }) => expect.body.kind === 'check');
      return {
        ...{ ...seen, startNs: 250e6 },
        judged: isJudged.map((each) => ({ request: requestName(each), figures: model.figures })),
        exchanges: requests.map(unverifiedExchange),
        isAlive: () => this.isRunning,
        failure: (message) => {
          const logTail = this.isRunning ? [] : ['simulated: giving up'];
          return { message, logTail, died: !this.isRunning };
        },
      };
    },
  };
}
