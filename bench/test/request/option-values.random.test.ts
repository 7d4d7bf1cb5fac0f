import { validateHeaderName, validateHeaderValue } from 'node:http';
import { InvalidArgumentError } from 'commander';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  changes,
  cpuLimits,
  header,
  names,
  oneOf,
  origin,
  path,
  rates,
  runtimes,
  seconds,
  share,
  topologies,
  type Variable,
  variable,
  whole,
} from '../../src/request/option-values.ts';
import type { AskedChange } from '../../src/targets/changes.ts';
import type { AskedRuntime } from '../../src/targets/runtime.ts';
import { property, textOf, unless } from '../support/random.ts';

/** What a parser makes of a text; undefined where it refuses it. */
function read<Value>(parse: (text: string) => Value, text: string): Value | undefined {
  return unless(InvalidArgumentError, () => parse(text));
}

/** Any text, and often one that is made of these pieces, which a bar separates. */
const made = (pieces: string) => textOf(...pieces.split('|'));
const numbers = made('1|0|07|.|-|+|e2|0x1|1_0| |,|%|..|Infinity');

property('a whole number is what its digits say', numbers, (text) => {
  const found = read(whole(1, 1000), text);
  expect(found).toBe(/^0*[1-9]\d{0,2}$|^0*1000$/.test(text) ? Number(text) : undefined);
});

property('seconds are within their limits, and written in decimals', numbers, (text) => {
  const found = read(seconds(0.1), text);
  if (found === undefined) return;
  expect(text).toMatch(/^[\d.]+(e[+-]?\d+)?$/i);
  expect(found).toBe(Number.parseFloat(text));
  expect(found).toBeGreaterThanOrEqual(0.1);
  expect(found).toBeLessThanOrEqual(86_400);
});

property('a percentage is read as it is written', fc.integer({ min: 1, max: 9999 }), (each) => {
  expect(share(`${each / 100}%`)).toBeCloseTo(each / 10_000, 12);
});

property('any share is between none and all', numbers, (text) => {
  const found = read(share, text) ?? 0.5;
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThan(1);
});

property('a word is one of those', made('GET|get|PO|ST| '), (text) => {
  const found = read(oneOf(['GET', 'POST']), text);
  expect(found).toBe(['GET', 'POST'].find((word) => word === text.toUpperCase()));
});

property('any rates are more than nothing, and no more than can be', numbers, (text) => {
  for (const rate of read(rates, text) ?? []) {
    const [amount, most] = rate.kind === 'share' ? [rate.share, 1] : [rate.perS, 1_000_000];
    expect(amount).toBeGreaterThan(0);
    expect(amount).toBeLessThanOrEqual(most);
  }
});

const ends = fc
  .uniqueArray(fc.integer({ min: 1, max: 1e9 }), { minLength: 2, maxLength: 2 })
  .map((pair) => pair.map((each) => each / 1000).sort((a, b) => a - b));
property('a range of rates has eight from its one end to the other', ends, ([low, high]) => {
  const found = rates(`${low}..${high}`).map((rate) => (rate.kind === 'share' ? 0 : rate.perS));
  expect([found.at(0), found.at(-1)]).toEqual([low, high]);
  expect(new Set(found).size).toBe(8);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});

/** What is read of any text is read of it again as it is written; and this holds of it. */
function readsAgain<Value>(
  what: string,
  parse: (text: string) => Value,
  pieces: string,
  write: (value: Value) => string,
  holds: (value: Value, text: string) => void = () => {},
): void {
  property(`${what} read again as written`, made(pieces), (text) => {
    const found = read(parse, text);
    if (found === undefined) return;
    expect(parse(write(found))).toEqual(found);
    holds(found, text);
  });
}

readsAgain('limits of cores are', cpuLimits, '1|0|.|5|25|,| |256|-', String, (found) => {
  expect(new Set(found).size).toBe(found.length);
  for (const cores of found) {
    expect(cores).toBeGreaterThanOrEqual(0.01);
    expect(cores).toBeLessThanOrEqual(256);
    expect(Math.abs(cores * 100 - Math.round(cores * 100))).toBeLessThan(1e-3);
  }
});

readsAgain('names are', names, 'a|b|,| ', String, (found) => {
  expect(new Set(found).size).toBe(found.length);
  for (const name of found) expect(name).toBe(name.trim() || 'none');
});

const TOPOLOGIES = 'single|fork|max|2|256|257|0|,|pmx:|cluster:| ';
readsAgain('topologies are', topologies, TOPOLOGIES, String, (found) => {
  expect(found).not.toEqual([]);
});

const nameOf = ({ kind, version }: AskedRuntime) => (version ? `${kind}@${version}` : kind);
const namesOf = (found: AskedRuntime[]) => found.map(nameOf).join();
const readRuntimes = (text: string) => runtimes(text);
const RUNTIMES = 'node|bun|@|22|.|1|,|deno| |v';
readsAgain('runtimes are', readRuntimes, RUNTIMES, namesOf, (found) => {
  for (const { version } of found) expect(version ?? '1').toMatch(/^\d+(\.\d+){0,2}$/);
});

const changeOf = ({ target, dependency, version }: AskedChange) => {
  return `${target === null ? '' : `${target}:`}${dependency}@${version}`;
};
const readChanges = (text: string) => changes(text);
const CHANGES = 'express|@|scope/|5|.|:|,|-|app|/|..';
readsAgain('changes are', readChanges, CHANGES, (found) => found.map(changeOf).join());

const HEADERS = 'accept|:| |é|…|\n|\r|\0|\t';
const lineOf = (pair: [string, string]) => pair.join(': ');
readsAgain('a header is', header, HEADERS, lineOf, ([name, value]) => {
  expect(() => validateHeaderName(name)).not.toThrow();
  expect(() => validateHeaderValue(name, value)).not.toThrow();
});

readsAgain('a path is', path, '/|é|?|#|%| |..|\\|"|a', String, (found) => {
  expect(found).toMatch(/^\/[!-~]*$/);
  const { pathname, search } = new URL(`http://host${found}`);
  expect(pathname + search).toBe(found);
});

readsAgain('an address is', origin, 'http://|a|:|80|/|[::1]|?|@', String, (found) => {
  expect(new URL(found).origin).toBe(found);
});

const wordOf = ({ name, value }: Variable) => (value === null ? name : `${name}=${value}`);
readsAgain('a variable is', variable, 'A|=|_|1| |\n', wordOf, (found, text) => {
  expect(found.name).toMatch(/^[A-Za-z_]\w*$/);
  expect(wordOf(found)).toBe(text);
});
