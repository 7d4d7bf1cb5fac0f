import { validateHeaderName, validateHeaderValue } from 'node:http';
import { InvalidArgumentError } from 'commander';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rate, Variable } from '../../src/request/option-values.ts';
import { OPTIONS, type OptionName, type OptionSpec } from '../../src/request/options.ts';
import type { AskedChange } from '../../src/targets/changes.ts';
import { HTTP_METHODS } from '../../src/targets/exchange.ts';
import type { AskedRuntime } from '../../src/targets/runtime.ts';
import { property, textOf, unless } from '../support/random.ts';

/** Reads the value of an option. */
function parse(name: OptionName, text: string): unknown {
  const option: OptionSpec = OPTIONS[name];
  return option.parse?.(text);
}

const perS = (...amounts: number[]) =>
  amounts.map((each): Rate => ({ kind: 'per second', perS: each }));
const shares = (...amounts: number[]) => {
  return amounts.map((each) => ({ kind: 'share', share: expect.closeTo(each, 12) }));
};

const MANAGED = 'pmx:1,pmx:max,cluster:256,cluster:max';
const NODE_22 = { kind: 'node', version: '22' };

test.each<[OptionName, string, unknown]>([
  ['launches', '100', 100],
  ['duration', '0.1', 0.1],
  ['duration', '86400', 86_400],
  ['warmup', '0', 0],
  ['p99', '50ms', 50],
  ['p99', '50', 50],
  ['p99', '0.5s', 500],
  ['targets', 'b, a,b ,c', ['b', 'a', 'c']],
  ['topology', 'single,max,2,fork,2,single', ['single', 'max', 2, 'fork']],
  ['topology', MANAGED, MANAGED.split(',')],
  ['topology', 'reuse-port:max,threads:2', ['reuse-port:max', 'threads:2']],
  ['topology', '2,02,cluster:2,cluster:02', [2, 'cluster:2']],
  ['rate', '0.5, 1000000', perS(0.5, 1_000_000)],
  ['rate', '900,70%,100', [...perS(900), ...shares(0.7), ...perS(100)]],
  ['rate', '100..800', perS(100, 200, 300, 400, 500, 600, 700, 800)],
  ['rate', '10%..80%', shares(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)],
  ['rate', '1000..2000', perS(1000, 1140, 1290, 1430, 1570, 1710, 1860, 2000)],
  ['runtime', 'node@22,bun', [NODE_22, { kind: 'bun', version: null }]],
  ['runtime', ' deno@2.9', [{ kind: 'deno', version: '2.9' }]],
  ['cpuLimit', '0.25, 0.5,2,0.50,0.01', [0.25, 0.5, 2, 0.01]],
  ['with', 'express@4', [{ target: null, dependency: 'express', version: '4' }]],
  ['with', 'web-app:ws@7.1', [{ target: 'web-app', dependency: 'ws', version: '7.1' }]],
  ['with', '@nestjs/core@11', [{ target: null, dependency: '@nestjs/core', version: '11' }]],
  ['with', 'a:@b/c@next', [{ target: 'a', dependency: '@b/c', version: 'next' }]],
])('%s reads %j', (name, text, value) => {
  expect(parse(name, text)).toEqual(value);
});

const RATE = 'Give requests per second up to 1000000, or a share such as 70%.';
const RANGE = 'Give a range such as 10%..95%, from low to high.';
const SECONDS = 'Give a number of seconds from 0.1 to 86400.';
const PERCENTAGE = 'Give a percentage such as 2%.';
const NAMES = 'Give names separated by commas.';
const CORES = 'Give numbers of cores from 0.01 to 256, to the hundredth, such as 1.5 or 0.25,0.5.';
const TOPOLOGY =
  '"#" is not a topology. Give "single", "fork", "max" or a number of processes from 1 to 256; ' +
  'a prefix ("pmx:", "cluster:", "reuse-port:", "threads:") selects another kind of cluster.';
const RUNTIME =
  '"#" is not a runtime. Give node, bun, deno, with a version such as node@22 unless you want the newest.';
const CHANGE =
  '"#" is not a version of a dependency. Give express@4, or express-app:express@4; the version may also be ' +
  'an address, a tarball or a folder, as in express@./express.';

// Texts are separated by bars; # stands for each in the message.
test.each<[OptionName, message: string, texts: string]>([
  ['launches', 'Give a whole number from 1 to 1000.', '0|1001|1.5|-3|+3|1e2|0x10| 5|5 ||ten'],
  ['duration', SECONDS, '0.09|86400.1|-1|Infinity|NaN|30s|| '],
  ['until', PERCENTAGE, '2|0%|0.0%|100%|-1%|2 %| 2%|%|2%%|.5%|1e1%|'],
  ['targets', NAMES, '|,|a,|,a|a,,b|a, ,b'],
  ['topology', NAMES, '|single,'],
  ['topology', TOPOLOGY, 'foo|0|257|1.5|-1|Max|maximum|single:2|fork:1|pmx|cluster|pmx:|cluster:0'],
  ['topology', TOPOLOGY, 'cluster:257|pmx:x|pm2:2|cluster:2:2|pmx: 2|:2'],
  ['rate', RATE, '0|-5|1000001|Infinity|NaN|fast|500/s|100..|..100'],
  ['p99', 'Give a time such as 50ms or 0.5s.', '|ms|0|0s|-5|50 ms|5m|86401s|fast'],
  ['rate', NAMES, '|,|500,|500,,600'],
  ['rate', PERCENTAGE, '0%|100%|-5%|%|100%..200%|10%..20%,50%'],
  ['rate', RANGE, '95%..10%|10%..10%|800..100|10%..500|100..95%|10%..50%..95%'],
  ['runtime', RUNTIME, 'nod|node@|node@lts|node@22.|node@1.2.3.4|Bun|@22'],
  ['cpuLimit', CORES, '0|-1|0.001|0.125|300|half|25%'],
  ['with', CHANGE, 'express|express@|@4|app:|app:express|a:b:c@1|@nestjs@11'],
])('%s refuses with %j each of %s', (name, message, texts) => {
  for (const text of texts.split('|')) {
    expect(() => parse(name, text)).toThrow(new InvalidArgumentError(message.replace('#', text)));
  }
});

/** What a parser makes of a text; undefined where it refuses it. */
function read<Value>(parse: (text: string) => Value, text: string): Value | undefined {
  return unless(InvalidArgumentError, () => parse(text));
}

/** Any text, and often one that is made of these pieces, which a bar separates. */
const made = (pieces: string) => textOf(...pieces.split('|'));
const numbers = made('1|0|07|.|-|+|e2|0x1|1_0| |,|%|..|Infinity');

property('a whole number is what its digits say', numbers, (text) => {
  const found = read(OPTIONS.launches.parse, text);
  expect(found).toBe(/^0*[1-9]\d{0,2}$|^0*1000$/.test(text) ? Number(text) : undefined);
});

property('seconds are within their limits, and written in decimals', numbers, (text) => {
  const found = read(OPTIONS.duration.parse, text);
  if (found === undefined) return;
  expect(text).toMatch(/^[\d.]+(e[+-]?\d+)?$/i);
  expect(found).toBe(Number.parseFloat(text));
  expect(found).toBeGreaterThanOrEqual(0.1);
  expect(found).toBeLessThanOrEqual(86_400);
});

property('a percentage is read as it is written', fc.integer({ min: 1, max: 9999 }), (each) => {
  expect(OPTIONS.until.parse(`${each / 100}%`)).toBeCloseTo(each / 10_000, 12);
});

property('any share is between none and all', numbers, (text) => {
  const found = read(OPTIONS.until.parse, text) ?? 0.5;
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThan(1);
});

property('a word is one of those', made('GET|get|PO|ST| '), (text) => {
  const found = read(OPTIONS.method.parse, text);
  expect(found).toBe(HTTP_METHODS.find((word) => word === text.toUpperCase()));
});

property('any rates are more than nothing, and no more than can be', numbers, (text) => {
  for (const rate of read(OPTIONS.rate.parse, text) ?? []) {
    const [amount, most] = rate.kind === 'share' ? [rate.share, 1] : [rate.perS, 1_000_000];
    expect(amount).toBeGreaterThan(0);
    expect(amount).toBeLessThanOrEqual(most);
  }
});

const ends = fc
  .uniqueArray(fc.integer({ min: 1, max: 1e9 }), { minLength: 2, maxLength: 2 })
  .map((pair) => pair.map((each) => each / 1000).sort((a, b) => a - b));
property('a range of rates has eight from its one end to the other', ends, ([low, high]) => {
  const range = OPTIONS.rate.parse(`${low}..${high}`);
  const found = range.map((rate) => (rate.kind === 'share' ? 0 : rate.perS));
  expect([found.at(0), found.at(-1)]).toEqual([low, high]);
  expect(new Set(found).size).toBe(8);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});

/** Different values are read of any text, and read again as they are written; and this holds of each. */
function readsAgain<Value>(
  what: string,
  parse: (text: string) => Value[],
  pieces: string,
  write: (value: Value) => string,
  holds: (value: Value, text: string) => void = () => {},
): void {
  property(`${what} read again as written`, made(pieces), (text) => {
    const found = read(parse, text);
    if (found === undefined) return;
    const written = found.map(write);
    expect(new Set(written).size || 'none').toBe(found.length);
    expect(parse(written.join())).toEqual(found);
    for (const value of found) holds(value, text);
  });
}

const LIMITS = '1|0|.|5|25|,| |256|-';
readsAgain('limits of cores are', OPTIONS.cpuLimit.parse, LIMITS, String, (cores) => {
  expect(cores).toBeGreaterThanOrEqual(0.01);
  expect(cores).toBeLessThanOrEqual(256);
  expect(Math.abs(cores * 100 - Math.round(cores * 100))).toBeLessThan(1e-3);
});

readsAgain('names are', OPTIONS.targets.parse, 'a|b|,| ', String, (name) => {
  expect(name).toBe(name.trim() || 'none');
});

const TOPOLOGIES = 'single|fork|max|2|256|257|0|,|pmx:|cluster:| ';
readsAgain('topologies are', OPTIONS.topology.parse, TOPOLOGIES, String);

const nameOf = ({ kind, version }: AskedRuntime) => (version ? `${kind}@${version}` : kind);
const RUNTIMES = 'node|bun|@|22|.|1|,|deno| |v';
readsAgain('runtimes are', OPTIONS.runtime.parse, RUNTIMES, nameOf, ({ version }) => {
  expect(version ?? '1').toMatch(/^\d+(\.\d+){0,2}$/);
});

const changeOf = ({ target, dependency, version }: AskedChange) => {
  return `${target === null ? '' : `${target}:`}${dependency}@${version}`;
};
readsAgain('changes are', OPTIONS.with.parse, 'express|@|scope/|5|.|:|,|-|app|/|..', changeOf);

const lineOf = (pair: [string, string]) => pair.join(': ');
const HEADERS = 'accept|:| |é|…|\n|\r|\0|\t';
readsAgain('a header is', OPTIONS.header.parse, HEADERS, lineOf, ([name, value]) => {
  expect(() => validateHeaderName(name)).not.toThrow();
  expect(() => validateHeaderValue(name, value)).not.toThrow();
});

readsAgain('a path is', OPTIONS.path.parse, '/|é|?|#|%| |..|\\|"|a', String, (path) => {
  expect(path).toMatch(/^\/[!-~]*$/);
  const { pathname, search } = new URL(`http://host${path}`);
  expect(pathname + search).toBe(path);
});

readsAgain('an address is', OPTIONS.url.parse, 'http://|a|:|80|/|[::1]|?|@', String, (origin) => {
  expect(new URL(origin).origin).toBe(origin);
});

const wordOf = ({ name, value }: Variable) => (value === null ? name : `${name}=${value}`);
readsAgain('a variable is', OPTIONS.env.parse, 'A|=|_|1| |\n', wordOf, (variable, text) => {
  expect(variable.name).toMatch(/^[A-Za-z_]\w*$/);
  expect(wordOf(variable)).toBe(text);
});
