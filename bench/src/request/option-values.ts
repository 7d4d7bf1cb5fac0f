/** How the values of options are written; each parser throws an InvalidArgumentError that says how. */
import { InvalidArgumentError } from 'commander';
import type { AskedChange } from '../targets/changes.ts';
import { canBeSent, sentPath } from '../targets/exchange.ts';
import { type AskedRuntime, RUNTIME_KINDS } from '../targets/runtime.ts';

/** A number of processes, or as many as can run at once. */
type Size = number | 'max';
/**
 * What several processes can be beside a plain pm2 cluster: one with pm2's monitoring on, one by Node's own module,
 * processes that share a port by SO_REUSEPORT, and worker threads of one process that do.
 */
export const CLUSTER_KINDS = ['pmx', 'cluster', 'reuse-port', 'threads'] as const;
export type ClusterKind = (typeof CLUSTER_KINDS)[number];
/** `single`; the size of a pm2 cluster, or of another kind of cluster; or `fork`, a single process under pm2. */
export type TopologyName = 'single' | 'fork' | Size | `${ClusterKind}:${Size}`;

/** What `--rate` asks for: so many requests/s, or a share of what the slowest server can answer. */
export type Rate = { kind: 'per second'; perS: number } | { kind: 'share'; share: number };

const DAY_S = 86_400;
const MOST_PROCESSES = 256;
const MOST_PER_S = 1_000_000;
/** Rates that a range becomes. */
const RANGE_RATES = 8;

/** A number written in decimals, such as `1.5`; NaN for any other text. */
function decimal(text: string): number {
  return /^\d*\.?\d+(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** A parser of whole numbers within these limits. */
export function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

/** A parser of numbers of seconds, from `min` to a day. */
export function seconds(min: number): (text: string) => number {
  return (text) => {
    const value = decimal(text);
    if (value >= min && value <= DAY_S) return value;
    throw new InvalidArgumentError(`Give a number of seconds from ${min} to ${DAY_S}.`);
  };
}

/** `50ms`, `50` or `0.05s`, as milliseconds. */
export function milliseconds(text: string): number {
  const [, amount = '', unit] = /^(.*?)(ms|s)?$/.exec(text) ?? [];
  const value = decimal(amount) * (unit === 's' ? 1000 : 1);
  if (value > 0 && value <= DAY_S * 1000) return value;
  throw new InvalidArgumentError('Give a time such as 50ms or 0.5s.');
}

/** `2%`, as a share. */
export function share(text: string): number {
  const percent = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]);
  if (percent > 0 && percent < 100) return percent / 100;
  throw new InvalidArgumentError('Give a percentage such as 2%.');
}

/** `slower`, which is 0, or `slower=3%`, as a share. */
export function slower(text: string): number {
  const [word, limit, ...more] = text.split('=');
  if (word !== 'slower' || more.length > 0) {
    throw new InvalidArgumentError('Give slower, or a limit such as slower=3%.');
  }
  return limit === undefined ? 0 : share(limit);
}

/** What is given several times, in its order. */
export function each<Value>(
  parse: (text: string) => Value,
): (text: string, before?: Value[]) => Value[] {
  return (text, before = []) => [...before, parse(text)];
}

/** A variable of a server's environment; null takes the value that it has for the harness. */
export interface Variable {
  name: string;
  value: string | null;
}

/** `NAME` or `NAME=VALUE`. */
export function variable(text: string): Variable {
  const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
  if (name !== undefined) return { name, value: value ?? null };
  throw new InvalidArgumentError('Give NAME or NAME=VALUE.');
}

/** `name: value`, the name in small letters. */
export function header(text: string): [name: string, value: string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined && canBeSent(name, value)) {
    return [name.toLowerCase(), value];
  }
  throw new InvalidArgumentError('Give a header as "name: value".');
}

/** One of these words. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text.toUpperCase());
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`Give one of ${words.join(', ')}.`);
  };
}

/** The path of a request, with its query, as it is sent: `/café` as `/caf%C3%A9`. */
export function path(text: string): string {
  const sent = sentPath(text);
  if (sent !== null) return sent;
  throw new InvalidArgumentError('Give a path that begins with "/".');
}

/** `http://host:port`, without a path. */
export function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url.origin;
  throw new InvalidArgumentError(
    'Give an address such as http://127.0.0.1:8080; its path with --path.',
  );
}

/** Names separated by commas, each once. */
export function names(text: string): string[] {
  const list = text.split(',').map((name) => name.trim());
  if (list.includes('')) throw new InvalidArgumentError('Give names separated by commas.');
  return [...new Set(list)];
}

/** A machine as ssh takes it. */
export function host(text: string): string {
  if (/^[\w[][\w.:@[\]%-]*$/.test(text)) return text;
  throw new InvalidArgumentError('Give a machine as ssh takes it, as box or user@box.');
}

/** Machines separated by commas. */
export function hosts(text: string): string[] {
  return names(text).map(host);
}

/** Topologies separated by commas, each once. */
export function topologies(text: string): TopologyName[] {
  return [...new Set(names(text).map(topologyName))];
}

function topologyName(name: string): TopologyName {
  if (name === 'single' || name === 'fork') return name;
  const [, prefix, size] = /^(?:([a-z-]+):)?(max|\d+)$/.exec(name) ?? [];
  const kind = CLUSTER_KINDS.find((each) => each === prefix);
  const processes = size === 'max' ? size : Number(size);
  const isKnown = prefix === undefined || kind !== undefined;
  if (isKnown && (processes === 'max' || (processes >= 1 && processes <= MOST_PROCESSES))) {
    return kind === undefined ? processes : `${kind}:${processes}`;
  }
  throw new InvalidArgumentError(
    `"${name}" is no topology. Give "single", "fork", "max" or a number of processes from 1 to ` +
      `${MOST_PROCESSES}; with ${CLUSTER_KINDS.map((each) => `"${each}:"`).join(', ')} before it another kind of cluster.`,
  );
}

/** `node@22,bun`: runtimes separated by commas, after those that were given before. */
export function runtimes(text: string, before: AskedRuntime[] = []): AskedRuntime[] {
  return [...before, ...names(text).map(runtime)];
}

function runtime(text: string): AskedRuntime {
  const [, name, version = null] = /^([a-z]+)(?:@(\d+(?:\.\d+){0,2}))?$/.exec(text) ?? [];
  const kind = RUNTIME_KINDS.find((each) => each === name);
  if (kind !== undefined) return { kind, version };
  throw new InvalidArgumentError(
    `"${text}" is no runtime. Give ${RUNTIME_KINDS.join(', ')}, each with a version where it is not to ` +
      'be the newest, as node@22 or bun@1.4.',
  );
}

/** Less is no quota that the kernel takes, by its shortest time in a period. */
const LEAST_CORES = 0.01;
const MOST_CORES = 256;

/** `0.25,1.5`: cores' worth of CPU time, separated by commas, each once. */
export function cpuLimits(text: string): number[] {
  return [...new Set(names(text).map(cpuLimit))];
}

function cpuLimit(text: string): number {
  const cores = decimal(text);
  const isRound = Number.isInteger(Math.round(cores * 1e6) / 1e4);
  if (cores >= LEAST_CORES && cores <= MOST_CORES && isRound) return cores;
  throw new InvalidArgumentError(
    `Give numbers of cores from ${LEAST_CORES} to ${MOST_CORES}, to the hundredth, as 1.5 or 0.25,0.5.`,
  );
}

/** Less is not enough for any runtime to start. */
const LEAST_MB = 8;
const MOST_MB = 1_000_000;

/** `256,512`: megabytes of memory, separated by commas, each once; as bytes. */
export function memoryLimits(text: string): number[] {
  return [...new Set(names(text).map((each) => whole(LEAST_MB, MOST_MB)(each) * 1e6))];
}

/** `express@4,TARGET:ws@7`: dependencies in other versions, after those that were given before. */
export function changes(text: string, before: AskedChange[] = []): AskedChange[] {
  return [...before, ...names(text).map(change)];
}

function change(text: string): AskedChange {
  const [, target = null, dependency, version] =
    /^(?:([^:@/]+):)?((?:@[\w.-]+\/)?[\w.-]+)@([^@\s]\S*)$/.exec(text) ?? [];
  if (dependency !== undefined && version !== undefined) return { target, dependency, version };
  throw new InvalidArgumentError(
    `"${text}" is no dependency in a version. Give them as express@4, or express-app:express@4; in place of the version an address, a tarball or a folder, as express@./express.`,
  );
}

/** `500`, `70%`, a list of those, or a range such as `10%..95%`, which becomes several rates. */
export function rates(text: string): Rate[] {
  const [from, to, ...more] = text.split('..');
  if (from === undefined || to === undefined) return names(text).map(rate);
  const [first, last] = [rate(from), rate(to)];
  const [low, high] = [amountOf(first), amountOf(last)];
  if (more.length > 0 || first.kind !== last.kind || low >= high) {
    throw new InvalidArgumentError('Give a range such as 10%..95%, from less to more.');
  }
  // As few as tell neighbours apart.
  const digits = Math.max(3, Math.ceil(1 + Math.log10(((RANGE_RATES - 1) * high) / (high - low))));
  const between = Array.from({ length: RANGE_RATES - 2 }, (_, index): Rate => {
    const amount = low + ((high - low) * (index + 1)) / (RANGE_RATES - 1);
    return first.kind === 'share'
      ? { kind: 'share', share: amount }
      : { kind: 'per second', perS: Number(amount.toPrecision(digits)) };
  });
  return [first, ...between, last];
}

function rate(text: string): Rate {
  if (text.endsWith('%')) return { kind: 'share', share: share(text) };
  const perS = decimal(text);
  if (perS > 0 && perS <= MOST_PER_S) return { kind: 'per second', perS };
  throw new InvalidArgumentError(
    `Give requests per second up to ${MOST_PER_S}, or a share such as 70%.`,
  );
}

function amountOf(rate: Rate): number {
  return rate.kind === 'share' ? rate.share : rate.perS;
}
