/** Servers under test: what is started, what it is like once it runs, and what it has in its environment. */
import { join } from 'node:path';
import { SRC } from '../base/places.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunningService } from '../services/index.ts';
import type { ControlGroup } from '../system/control-groups.ts';
import type { ExpectedExchange } from '../targets/exchange.ts';
import type { LocalTarget } from '../targets/targets.ts';
import type { Guardian } from './guardian.ts';
import type { Teardown } from './teardown.ts';

/** The address that servers under test are to listen on, unless load comes from other hosts. */
export const HOST = '127.0.0.1';

/** `http://host:port`. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where a server is to listen. */
export interface Listening {
  address: string;
  port: number;
}

/** A server to start: a target in a topology. */
export interface ServerSpec extends Listening {
  /** `target/topology`, unique within a launch. */
  key: string;
  target: LocalTarget;
  topology: Pick<Topology, 'id' | 'manager' | 'processes' | 'cores'>;
  /** Those that it needs. */
  services: readonly RunningService[];
}

/** What a check command found out about an answer, by its own names and units. */
export interface CheckResult {
  /** As `GET /pictures/1`. */
  request: string;
  figures: Record<string, number>;
}

/** A server that accepts connections. */
export interface RunningServer {
  readonly spec: ServerSpec;
  /** `http://host:port`. */
  readonly origin: string;
  /** The processes that serve requests. */
  readonly pids: readonly number[];
  /** What it is sent, and what its answers are compared with: once it is verified, what it answered. */
  readonly agreed: readonly ExpectedExchange[];
  /** Once it is verified, of the answers that have a check command. */
  readonly judged: readonly CheckResult[];
  /** The process manager's own, if there is one. */
  readonly managerPids: readonly number[];
  /** The folder of the control group that limits the CPU time of all its processes; null without a limit. */
  readonly cpuGroup: string | null;
  /** Why the kernel killed one of its processes; null where it did not, or nothing limits its memory. */
  killedBy(): string | null;
  /**
   * From its start until it accepted connections, ns; once it is verified, until the first right answer that it
   * would have given then. Null where somebody else has started it.
   */
  readonly startNs: number | null;
  /** Whether every one of its processes still runs. */
  isAlive(): boolean;
  /** The last lines it wrote to stderr or stdout. */
  logTail(): string[];
}

/** Why a server can't be measured. */
export interface ServerFailure {
  message: string;
  logTail: string[];
  /** One of its processes was gone. */
  died: boolean;
}

/** What became of a server that was to be started. */
export type Started =
  | { state: 'running'; server: RunningServer }
  | { state: 'failed'; spec: ServerSpec; failure: ServerFailure };

/** How long a server may take to accept connections. */
const START_TIMEOUT_MS = 15_000;

/** What everything that starts processes needs. */
export interface LaunchContext extends Pick<Guardian, 'folder' | 'guard' | 'release'> {
  /** How long a server may take to accept connections. */
  startTimeoutMs: number;
  /** The control groups that servers are started in; none for that of the harness. */
  groups: readonly ControlGroup[];
  /** What servers are to listen on. */
  address: string;
  /** Interrupts what is starting. */
  signal: AbortSignal;
}

/** The same for what is to keep running. */
export interface StartContext extends LaunchContext {
  /** Ends everything that is started. */
  teardown: Teardown;
}

/** What is needed under this guardian. */
export function contextOf(guardian: Guardian, signal: AbortSignal, address = HOST): LaunchContext {
  return { ...guardian, startTimeoutMs: START_TIMEOUT_MS, groups: [], address, signal };
}

type Environment = Record<string, string>;
/** The variables that a target declares, and those that are passed to it. */
type Variables = Pick<LocalTarget, 'env' | 'passed'>;

/** What every process has in its environment, with this home. */
export function closedEnvironment(HOME: string): Environment {
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  return { PATH, HOME, LANG };
}

/**
 * The environment of a server under test but for its address, and of its seeds: production, what the target declares
 * and what is passed to it, and nothing of the caller's that could change how it runs.
 */
export function targetEnvironment({ env, passed }: Variables): Environment {
  const { HOME = '/' } = process.env;
  return { ...closedEnvironment(HOME), NODE_ENV: 'production', ...env, ...passed };
}

/** The same, with the address where it is to listen. */
export function serverEnvironment(target: Variables, { address, port }: Listening): Environment {
  return { ...targetEnvironment(target), HOST: address, PORT: String(port) };
}

/** The same in its topology: with the number of its threads, where these use the cores, and what keeps its heap. */
export function environmentOf(spec: ServerSpec): Environment {
  const { target, topology } = spec;
  const { scale } = target;
  const threads = scale.by === 'threads' ? { [scale.env]: String(topology.processes) } : {};
  return { ...serverEnvironment(target, spec), ...threads, ...keepHeapEnvironment(target) };
}

/** What a server on Node loads before anything of its own, so that it keeps its heap. */
export const KEEP_HEAP = join(SRC, 'launch/keep-heap.cjs');

/**
 * What keeps the heap of a server on Node as it is under load while others have their turns. After 8 s with little to
 * do V8 gives memory back and discards code (its memory reducer), and the next slices would pay for that: a request
 * would cost more than twice as much. A server that is always under load never does that. Nothing for other runtimes;
 * programs in other languages ignore it.
 */
export function keepHeapEnvironment(target: Variables & Pick<LocalTarget, 'runtime'>): Environment {
  if (target.runtime !== null && target.runtime.kind !== 'node') return {};
  const own = `--require "${KEEP_HEAP.replaceAll(/["\\]/g, '\\$&')}"`;
  const { NODE_OPTIONS: declared = '' } = { ...target.env, ...target.passed };
  return { NODE_OPTIONS: `${own} ${declared}`.trim() };
}

/** The program behind the first word of a command: `node` is the target's runtime, or the Node of the harness. */
export function programOf(target: Pick<LocalTarget, 'start' | 'runtime'>): string {
  const [program] = target.start;
  return program === 'node' ? (target.runtime?.program ?? process.execPath) : program;
}
