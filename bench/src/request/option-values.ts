/** How the values of options are written. Each parser throws an InvalidArgumentError that says how. */
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import type { AskedChange } from '../targets/changes.ts';
import { encodedPath, isValidHeader } from '../targets/exchange.ts';
import { type AskedRuntime, RUNTIME_KINDS } from '../targets/runtime.ts';

/** A number of processes, or as many as can run at once. */
const sizeSchema = z.union([z.literal('max'), z.int().min(1)]);
/** Beside a plain pm2 cluster: one with pm2's monitoring, Node's own, and processes or threads that share a port. */
export const CLUSTER_KINDS = ['pmx', 'cluster', 'reuse-port', 'threads'] as const;
export type ClusterKind = (typeof CLUSTER_KINDS)[number];
/** `single`; `fork`, a single process under pm2; or the size of a pm2 cluster or of another kind of cluster. */
export const topologyNameSchema = z.union([
  z.literal(['single', 'fork']),
  sizeSchema,
  z.templateLiteral([z.literal(CLUSTER_KINDS), ':', sizeSchema]),
]);
export type TopologyName = z.infer<typeof topologyNameSchema>;

/** What can send requests at a rate, by its name on the command line and in records; the first does by default. */
export const DRIVER_NAMES = ['pacer', 'k6'] as const;
export type DriverName = (typeof DRIVER_NAMES)[number];

/** A rate: requests/s, or a share of what the slowest server can answer. */
export type Rate = { kind: 'per second'; perS: number } | { kind: 'share'; share: number };

/** A variable of a server's environment; null takes the value that it has for the harness. */
export interface Variable {
  name: string;
  value: string | null;
}

const DAY_S = 86_400;
const MOST_PROCESSES = 256;
const MOST_PER_S = 1_000_000;
/** Rates that a range becomes. */
const RANGE_RATES = 8;
/** The kernel accepts no smaller quota: it has a shortest CPU time per period. */
const LEAST_CORES = 0.01;
const MOST_CORES = 256;
/** No runtime starts with less. */
const LEAST_MB = 8;
const MOST_MB = 1_000_000;
const POSITIVE = Number.MIN_VALUE;

function refuse(message: string): never {
  throw new InvalidArgumentError(message);
}

function within(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}

/** A number written in decimals, such as `1.5`; NaN for any other text. */
function decimal(text: string): number {
  return /^\d*\.?\d+(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** A parser of values separated by commas, without duplicates. */
function listOf<Value>(parse: (name: string) => Value): (text: string) => Value[] {
  return (text) => {
    const words = text.split(',').map((name) => name.trim());
    if (words.includes('')) refuse('Give names separated by commas.');
    return [...new Set([...new Set(words)].map(parse))];
  };
}

/** A parser that adds its values to those of earlier occurrences of the option. */
function repeated<Value>(parse: (text: string) => Value[]) {
  return (text: string, before: Value[] = []) => [...before, ...parse(text)];
}

export function each<Value>(parse: (text: string) => Value) {
  return repeated((text) => [parse(text)]);
}

export function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? within(Number(text), min, max) : undefined;
    return value ?? refuse(`Give a whole number from ${min} to ${max}.`);
  };
}

export function seconds(min: number): (text: string) => number {
  return (text) => {
    const value = within(decimal(text), min, DAY_S);
    return value ?? refuse(`Give a number of seconds from ${min} to ${DAY_S}.`);
  };
}

/** `50ms`, `50` or `0.05s`, as milliseconds. */
export function milliseconds(text: string): number {
  const [, amount = '', unit] = /^(.*?)(ms|s)?$/.exec(text) ?? [];
  const value = decimal(amount) * (unit === 's' ? 1000 : 1);
  return within(value, POSITIVE, DAY_S * 1000) ?? refuse('Give a time such as 50ms or 0.5s.');
}

/** `2%`, as a share. */
export function share(text: string): number {
  const percent = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]);
  return percent > 0 && percent < 100 ? percent / 100 : refuse('Give a percentage such as 2%.');
}

/** `slower`, which is 0, or `slower=3%`, as a share. */
export function slower(text: string): number {
  const [word, limit, ...more] = text.split('=');
  if (word !== 'slower' || more.length > 0) refuse('Give slower, or a limit such as slower=3%.');
  return limit === undefined ? 0 : share(limit);
}

export function variable(text: string): Variable {
  const [, name, value = null] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
  return name === undefined ? refuse('Give NAME or NAME=VALUE.') : { name, value };
}

/** `name: value`, the name in small letters. */
export function header(text: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === '' || !isValidHeader(name, value)) refuse('Give a header as "name: value".');
  return [name.toLowerCase(), value];
}

/** A parser of one of these words, in capitals. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text.toUpperCase());
    return word ?? refuse(`Give one of ${words.join(', ')}.`);
  };
}

/** The path of a request, with its query, as it is sent: `/café` as `/caf%C3%A9`. */
export function path(text: string): string {
  return encodedPath(text) ?? refuse('Give a path that begins with "/".');
}

/** `http://host:port`, without a path. */
export function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url.origin;
  return refuse('Give an address such as http://127.0.0.1:8080, and its path with --path.');
}

export function host(text: string): string {
  const isHost = /^[\w[][\w.:@[\]%-]*$/.test(text);
  return isHost ? text : refuse('Give a host as ssh takes it, such as box or user@box.');
}

export const names = listOf(String);
export const hosts = listOf(host);

export const topologies = listOf((name): TopologyName => {
  if (name === 'single' || name === 'fork') return name;
  const [, prefix, text = ''] = /^(?:([a-z-]+):)?(max|\d+)$/.exec(name) ?? [];
  const size = text === 'max' ? text : within(Number(text), 1, MOST_PROCESSES);
  const kind = CLUSTER_KINDS.find((known) => known === prefix);
  if (size !== undefined && kind !== undefined) return `${kind}:${size}`;
  if (size !== undefined && prefix === undefined) return size;
  const prefixes = CLUSTER_KINDS.map((known) => `"${known}:"`).join(', ');
  return refuse(
    `"${name}" is not a topology. Give "single", "fork", "max" or a number of processes from 1 to ${MOST_PROCESSES}; ` +
      `a prefix (${prefixes}) selects another kind of cluster.`,
  );
});

/** `node@22,bun`. */
export const runtimes = repeated(
  listOf((text): AskedRuntime => {
    const [, name, version = null] = /^([a-z]+)(?:@(\d+(?:\.\d+){0,2}))?$/.exec(text) ?? [];
    const kind = RUNTIME_KINDS.find((known) => known === name);
    if (kind !== undefined) return { kind, version };
    return refuse(
      `"${text}" is not a runtime. Give ${RUNTIME_KINDS.join(', ')}, with a version such as node@22 unless you want the newest.`,
    );
  }),
);

/** `0.25,1.5`: cores' worth of CPU time. */
export const cpuLimits = listOf((text) => {
  const cores = within(decimal(text), LEAST_CORES, MOST_CORES);
  if (cores !== undefined && Number.isInteger(Math.round(cores * 1e6) / 1e4)) return cores;
  return refuse(
    `Give numbers of cores from ${LEAST_CORES} to ${MOST_CORES}, to the hundredth, such as 1.5 or 0.25,0.5.`,
  );
});

/** `256,512`: megabytes of memory; as bytes. */
export const memoryLimits = listOf((text) => whole(LEAST_MB, MOST_MB)(text) * 1e6);

/** `express@4,TARGET:ws@7`: dependencies in other versions. */
export const changes = repeated(
  listOf((text): AskedChange => {
    const [, target = null, dependency, version] =
      /^(?:([^:@/]+):)?((?:@[\w.-]+\/)?[\w.-]+)@([^@\s]\S*)$/.exec(text) ?? [];
    if (dependency !== undefined && version !== undefined) return { target, dependency, version };
    return refuse(
      `"${text}" is not a version of a dependency. Give express@4, or express-app:express@4; the version may also be an address, a tarball or a folder, as in express@./express.`,
    );
  }),
);

/** `500`, `70%`, a list of those, or a range such as `10%..95%`, which becomes several rates. */
export function rates(text: string): Rate[] {
  const [from, to, ...more] = text.split('..');
  if (from === undefined || to === undefined) return listOf(rate)(text);
  const [first, last] = [rate(from), rate(to)];
  const [low, high] = [amountOf(first), amountOf(last)];
  if (more.length > 0 || first.kind !== last.kind || low >= high) {
    refuse('Give a range such as 10%..95%, from low to high.');
  }
  // As few digits as tell neighbours apart.
  const digits = Math.max(3, Math.ceil(1 + Math.log10(((RANGE_RATES - 1) * high) / (high - low))));
  const between = Array.from({ length: RANGE_RATES - 2 }, (_, index): Rate => {
    const amount = low + ((high - low) * (index + 1)) / (RANGE_RATES - 1);
    if (first.kind === 'share') return { kind: 'share', share: amount };
    return { kind: 'per second', perS: Number(amount.toPrecision(digits)) };
  });
  return [first, ...between, last];
}

function rate(text: string): Rate {
  if (text.endsWith('%')) return { kind: 'share', share: share(text) };
  const perS = within(decimal(text), POSITIVE, MOST_PER_S);
  if (perS !== undefined) return { kind: 'per second', perS };
  return refuse(`Give requests per second up to ${MOST_PER_S}, or a share such as 70%.`);
}

function amountOf(rate: Rate): number {
  return rate.kind === 'share' ? rate.share : rate.perS;
}
