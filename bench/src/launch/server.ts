import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../base/errors.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunningService } from '../services/running.ts';
import type { ControlGroup } from '../system/control-groups.ts';
import { isAlive } from '../system/processes.ts';
import { declaredOnly, type ExpectedExchange } from '../targets/exchange.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { accepts } from './accepts.ts';
import { restingEnvironment } from './resting.ts';

/** The address that every server under test is to listen on. */
export const HOST = '127.0.0.1';
/** Where it may listen all the same. */
export const HOSTS = [HOST, '::1'];

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

/** A server that did not come up, with the last lines of its log. */
export function failedStart(
  spec: ServerSpec,
  failed: Pick<ServerFailure, 'message' | 'died'>,
  log: string,
): Started {
  return { spec, outcome: { state: 'failed', failure: { ...failed, logTail: lastLines(log) } } };
}

/** A server that came up as these processes, and writes to this log. */
export function runningStart(
  spec: ServerSpec,
  found: Pick<RunningServer, 'pids' | 'managerPids' | 'origin'>,
  log: string,
): Started {
  const server = {
    spec,
    agreed: spec.target.requests.map(declaredOnly),
    group: null,
    judged: [],
    ...found,
    isAlive: () => found.pids.every(isAlive),
    logTail: () => lastLines(log),
  };
  return { spec, outcome: { state: 'running', server } };
}

/** Servers started together; disposing of them kills their processes and waits until they are gone. */
export interface Launched extends AsyncDisposable {
  readonly started: Started[];
}

/** How a launcher may be interrupted, and how patient it is. */
export interface LaunchContext {
  /** Where it may write logs and sockets; removed by its owner. */
  folder: string;
  /** How long a server may take to accept connections. */
  startTimeoutMs: number;
  /** Tells the guardian about a process group, in case the harness is killed. */
  guard(leader: number): void;
  /** Takes that back once the group is gone. */
  release(leader: number): void;
  /** The same of control groups, which the guardian then removes. */
  guardLimit(group: ControlGroup): void;
  releaseLimit(group: ControlGroup): void;
  /** The control group that servers are started in; null for that of the harness. */
  group: ControlGroup | null;
  signal: AbortSignal;
}

/** The port where processes start: one implementation for each kind of manager. */
export type Launcher = (specs: ServerSpec[], context: LaunchContext) => Promise<Launched>;

/**
 * The environment of a server under test: production, what its target declares and what is let through
 * to it, its address, and nothing of the caller's that could change how it runs.
 */
export function serverEnvironment(
  target: Pick<LocalTarget, 'env' | 'passed'>,
  port: number,
): Record<string, string> {
  return { ...targetEnvironment(target), HOST, PORT: String(port) };
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
export function environmentOf({ target, port, topology }: ServerSpec): Record<string, string> {
  const { scale } = target;
  const threads = scale.by === 'threads' ? { [scale.env]: String(topology.processes) } : {};
  return { ...serverEnvironment(target, port), ...threads, ...restingEnvironment(target) };
}

/** The program behind `start`'s first word: `node` is the target's runtime, or the Node that runs the harness. */
export function programOf({
  start: [program],
  runtime,
}: Pick<LocalTarget, 'start' | 'runtime'>): string {
  return program === 'node' ? (runtime?.program ?? process.execPath) : program;
}

const READY_POLL_MS = 20;
const LAST_WORDS = 12;

/** Waits until the port accepts a connection; otherwise says why not. */
export async function untilReady(
  port: number,
  pids: readonly number[],
  context: LaunchContext,
): Promise<'ready' | string> {
  const found = await duringStart(context, async () => {
    if (!pids.every(isAlive)) return 'it ended while starting';
    return (await accepts(HOST, port)) ? 'ready' : null;
  });
  return found ?? `it accepted no connection within ${context.startTimeoutMs / 1000} s`;
}

/**
 * Looks again and again until there is something to be told; null once a start has taken too long.
 * @throws when the launch is aborted.
 */
export async function duringStart<T>(
  context: LaunchContext,
  look: () => T | null | Promise<T | null>,
): Promise<T | null> {
  const deadline = performance.now() + context.startTimeoutMs;
  while (performance.now() < deadline) {
    context.signal.throwIfAborted();
    const found = await look();
    if (found !== null) return found;
    await sleep(READY_POLL_MS);
  }
  return null;
}

/** The last lines of a log file, without blank ones, so many at most; none where there is no file. */
export function lastLines(path: string, most = LAST_WORDS): string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.filter((line) => line.trim() !== '').slice(-most);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
