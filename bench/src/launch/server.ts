/** Servers under test: what to start, what runs then, and the environment of their processes. */
import { join } from 'node:path';
import { SRC } from '../base/places.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunningService } from '../services/index.ts';
import type { ControlGroup } from '../system/control-groups.ts';
import type { ExpectedExchange } from '../targets/exchange.ts';
import type { LocalTarget } from '../targets/targets.ts';
import type { Guardian } from './guardian.ts';
import type { Teardown } from './teardown.ts';

/** Servers under test listen on this address, unless load comes from other hosts. */
export const HOST = '127.0.0.1';

export interface ListenAddress {
  address: string;
  port: number;
}

/** A server to start: a target in a topology. */
export interface ServerSpec extends ListenAddress {
  /** `target/topology`, unique within a launch. */
  key: string;
  target: LocalTarget;
  topology: Pick<Topology, 'id' | 'manager' | 'processes' | 'cores'>;
  services: readonly RunningService[];
}

/** A server that accepts connections. */
export interface RunningServer {
  readonly spec: ServerSpec;
  readonly origin: string;
  /** The processes that serve requests. */
  readonly pids: readonly number[];
  /** Its requests and the expected answers: as declared, or as it answered once it is verified. */
  readonly exchanges: readonly ExpectedExchange[];
  /** What check commands printed about answers to requests, such as `GET /pictures/1`, once it is verified. */
  readonly judged: readonly { request: string; figures: Record<string, number> }[];
  readonly managerPids: readonly number[];
  /** The folder of the control group that limits its CPU time; null without a limit. */
  readonly cpuGroup: string | null;
  /** From its start until it accepted connections or, once verified, answered right, ns; null if others started it. */
  readonly startNs: number | null;
  isAlive(): boolean;
  /** How it failed: as the message says, unless the kernel has killed one of its processes at its memory limit. */
  failure(message: string): ServerFailure;
}

export interface ServerFailure {
  message: string;
  /** The last lines it wrote to stderr or stdout. */
  logTail: string[];
  /** Whether one of its processes has ended. */
  died: boolean;
}

export type StartResult =
  | { state: 'running'; server: RunningServer }
  | { state: 'failed'; spec: ServerSpec; failure: ServerFailure };

const START_TIMEOUT_MS = 15_000;

/** What everything that starts processes needs. */
export interface LaunchContext extends Pick<Guardian, 'folder' | 'guard' | 'release'> {
  startTimeoutMs: number;
  /** The control groups to start servers in; none for those of the harness. */
  groups: readonly ControlGroup[];
  address: string;
  /** Interrupts what is starting. */
  signal: AbortSignal;
}

/** The same for processes that keep running. */
export interface StartContext extends LaunchContext {
  teardown: Teardown;
}

export function contextOf(guardian: Guardian, signal: AbortSignal, address = HOST): LaunchContext {
  return { ...guardian, startTimeoutMs: START_TIMEOUT_MS, groups: [], address, signal };
}

type Environment = Record<string, string>;
/** The variables that a target declares, and those that the user passes to it. */
type Variables = Pick<LocalTarget, 'env' | 'passed'>;

/** The variables that every process gets, with this home. */
export function closedEnvironment(HOME: string): Environment {
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  return { PATH, HOME, LANG };
}

/** The environment of a server, its seeds and checks. The user's is left out, since it could change how it runs. */
export function targetEnvironment({ env, passed }: Variables): Environment {
  const { HOME = '/' } = process.env;
  return { ...closedEnvironment(HOME), NODE_ENV: 'production', ...env, ...passed };
}

/** The same with the address to listen on. */
export function serverEnvironment(target: Variables, listening: ListenAddress): Environment {
  const { address, port } = listening;
  return { ...targetEnvironment(target), HOST: address, PORT: String(port) };
}

/** The same with the number of threads, if the server scales by them, and with `keepHeapEnvironment`. */
export function environmentOf(spec: ServerSpec): Environment {
  const { target, topology } = spec;
  const { scale } = target;
  const threads = scale.by === 'threads' ? { [scale.env]: String(topology.processes) } : {};
  return { ...serverEnvironment(target, spec), ...threads, ...keepHeapEnvironment(target) };
}

/** A server on Node loads this first, so that it keeps its heap. */
export const KEEP_HEAP = join(SRC, 'launch/keep-heap.cjs');

/** Keeps the heap of a server on Node as it is under load, also between its slices. Other languages ignore it. */
export function keepHeapEnvironment(target: Variables & Pick<LocalTarget, 'runtime'>): Environment {
  if (target.runtime !== null && target.runtime.kind !== 'node') return {};
  // After 8 s with little to do V8's memory reducer would return memory and discard code, as it never does under steady
  // load, and requests of the next slices would cost more than twice as much.
  const own = `--require "${KEEP_HEAP.replaceAll(/["\\]/g, '\\$&')}"`;
  const { NODE_OPTIONS: declared = '' } = { ...target.env, ...target.passed };
  return { NODE_OPTIONS: `${own} ${declared}`.trim() };
}

/** The program of a `start` command: `node` is the target's runtime, or else the Node of the harness. */
export function programOf(target: Pick<LocalTarget, 'start' | 'runtime'>): string {
  const [program] = target.start;
  return program === 'node' ? (target.runtime?.program ?? process.execPath) : program;
}
