import type { Topology } from '../plan/topology.ts';
import type { RunningService } from '../services/running.ts';
import type { ControlGroup } from '../system/control-groups.ts';
import type { ExpectedExchange } from '../targets/exchange.ts';
import type { LocalTarget } from '../targets/targets.ts';
import type { Guardian } from './guardian.ts';
import { restingEnvironment } from './resting.ts';

/** The address that servers under test are to listen on, unless load comes from other hosts. */
export const HOST = '127.0.0.1';

/** Where a server that is to listen on this address may listen all the same. */
export function addressesFor(address: string): string[] {
  return address === HOST ? [HOST, '::1'] : [address];
}

/** `http://host:port`. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** A server to start: a target in a topology. */
export interface ServerSpec {
  /** `target/topology`, unique within a launch. */
  key: string;
  target: LocalTarget;
  topology: Pick<Topology, 'id' | 'manager' | 'processes' | 'cores'>;
  address: string;
  port: number;
  /** Those that it needs. */
  services: readonly RunningService[];
}

/** What the command that judges an answer found out about it, by its own names and units. */
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
  /** Once it is verified, of the answers that a command judges. */
  readonly judged: readonly CheckResult[];
  /** The process manager's own, if there is one. */
  readonly managerPids: readonly number[];
  /** The one that limits its CPU time, with all its processes in it; null without a limit. */
  readonly group: ControlGroup | null;
  /** Why the kernel killed one of its processes; null where it did not, or nothing limits its memory. */
  killedBy(): string | null;
  /**
   * From its start until it accepted connections, ns, and once it is verified up to the first right answer that it
   * would have given then; null where somebody else has started it.
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

/** What became of each server that was to be started. */
export interface Started {
  spec: ServerSpec;
  outcome:
    | { state: 'running'; server: RunningServer }
    | { state: 'failed'; failure: ServerFailure };
}

/** How long a server may take to accept connections. */
const START_TIMEOUT_MS = 15_000;

/** How a launcher may be interrupted, how patient it is, and whom it tells of what it starts. */
export interface LaunchContext extends Pick<Guardian, 'folder' | 'guard' | 'release'> {
  /** How long a server may take to accept connections. */
  startTimeoutMs: number;
  /** The control groups that servers are started in; none for those of the harness. */
  groups: readonly ControlGroup[];
  /** What servers are to listen on. */
  address: string;
  signal: AbortSignal;
}

/** What launchers under this guardian need. */
export function contextOf(
  { folder, guard, release }: Guardian,
  signal: AbortSignal,
  address = HOST,
): LaunchContext {
  const usual = { startTimeoutMs: START_TIMEOUT_MS, groups: [] };
  return { folder, guard, release, ...usual, address, signal };
}

/**
 * The environment of a server under test: production, what its target declares and what is let through
 * to it, its address, and nothing of the caller's that could change how it runs.
 */
export function serverEnvironment(
  target: Pick<LocalTarget, 'env' | 'passed'>,
  { address, port }: Pick<ServerSpec, 'address' | 'port'>,
): Record<string, string> {
  return { ...targetEnvironment(target), HOST: address, PORT: String(port) };
}

/** What a server under test has in its environment but for its address; its seeds have it too. */
export function targetEnvironment({
  env,
  passed,
}: Pick<LocalTarget, 'env' | 'passed'>): Record<string, string> {
  const { HOME = '/' } = process.env;
  return { ...closedEnvironment(HOME), NODE_ENV: 'production', ...env, ...passed };
}

/** What every process has in its environment, with this home. */
export function closedEnvironment(HOME: string): Record<string, string> {
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  return { PATH, HOME, LANG };
}

/**
 * The environment of a server in its topology: where threads use its cores, their number is in there, and what
 * keeps it as it is while it rests.
 */
export function environmentOf(spec: ServerSpec): Record<string, string> {
  const { target, topology } = spec;
  const { scale } = target;
  const threads = scale.by === 'threads' ? { [scale.env]: String(topology.processes) } : {};
  return { ...serverEnvironment(target, spec), ...threads, ...restingEnvironment(target) };
}

/** The program behind `start`'s first word: `node` is the target's runtime, or the Node that runs the harness. */
export function programOf({
  start: [program],
  runtime,
}: Pick<LocalTarget, 'start' | 'runtime'>): string {
  return program === 'node' ? (runtime?.program ?? process.execPath) : program;
}
