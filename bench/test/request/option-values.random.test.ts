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
  variable,
  whole,
} from '../../src/request/option-values.ts';
import { property, textOf, unless } from '../support/random.ts';

/** What a parser makes of a text; undefined where it refuses it. */
function read<Value>(parse: (text: string) => Value, text: string): Value | undefined {
  return unless(InvalidArgumentError, () => parse(text));
}

const numbers = textOf(
  '1',
  '0',
  '07',
  '.',
  '-',
  '+',
  'e2',
  '0x1',
  '1_0',
  ' ',
  ',',
  '%',
  '..',
  'Infinity',
);

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

const hundredths = fc.integer({ min: 1, max: 9999 });
property('a percentage is read as it is written', hundredths, (each) => {
  expect(share(`${each / 100}%`)).toBeCloseTo(each / 10_000, 12);
});

property('any share is between none and all', numbers, (text) => {
  const found = read(share, text) ?? 0.5;
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThan(1);
});

const limits = fc.uniqueArray(fc.integer({ min: 1, max: 25_600 }), { minLength: 1, maxLength: 5 });
property('limits of cores are read as they are written', limits, (each) => {
  const cores = each.map((hundredth) => hundredth / 100);
  expect(cpuLimits(cores.join(','))).toEqual(cores);
});

property('any limits of cores are hundredths of a core, each once', numbers, (text) => {
  const found = read(cpuLimits, text) ?? [];
  expect(new Set(found).size).toBe(found.length);
  for (const cores of found) {
    expect(cores).toBeGreaterThanOrEqual(0.01);
    expect(cores).toBeLessThanOrEqual(256);
    expect(Math.abs(cores * 100 - Math.round(cores * 100))).toBeLessThan(1e-3);
  }
});

property('names have no space around them, and come once', textOf('a', 'b', ',', ' '), (text) => {
  const found = read(names, text) ?? ['none'];
  expect(new Set(found).size).toBe(found.length);
  for (const name of found) expect(name).toBe(name.trim() || 'none');
  expect(read(names, found.join())).toEqual(found);
});

const clusters = textOf(
  'single',
  'fork',
  'max',
  '2',
  '256',
  '257',
  '0',
  ',',
  'pmx:',
  'cluster:',
  ' ',
);
property('topologies are read again as they are named', clusters, (text) => {
  const found = read(topologies, text) ?? ['single'];
  expect(found.length).toBeGreaterThan(0);
  expect(topologies(found.join())).toEqual(found);
});

const versions = textOf('node', 'bun', '@', '22', '.', '1', ',', 'deno', ' ', 'v');
property('runtimes are read again as they are named', versions, (text) => {
  const found = read(runtimes, text) ?? [];
  const named = found.map(({ kind, version }) => (version === null ? kind : `${kind}@${version}`));
  expect(found).toEqual(named.length === 0 ? [] : named.flatMap((each) => runtimes(each)));
  for (const { version } of found) expect(version ?? '1').toMatch(/^\d+(\.\d+){0,2}$/);
});

const dependencies = textOf('express', '@', 'scope/', '5', '.', ':', ',', '-', 'app', '/', '..');
property('changes are read again as they are named', dependencies, (text) => {
  const found = read(changes, text) ?? [];
  for (const change of found) {
    const { target, dependency, version } = change;
    const named = `${target === null ? '' : `${target}:`}${dependency}@${version}`;
    expect(changes(named)).toEqual([change]);
    expect(named).toMatch(/^[^\s,]+$/);
  }
});

const ends = fc
  .tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }))
  .filter(([one, other]) => one !== other)
  .map((pair) => pair.map((each) => each / 1000).sort((a, b) => a - b));
property('a range of rates has eight from its one end to the other', ends, ([low, high]) => {
  const found = rates(`${low}..${high}`).map((rate) => (rate.kind === 'share' ? 0 : rate.perS));
  expect(found).toHaveLength(8);
  expect([found.at(0), found.at(-1)]).toEqual([low, high]);
  expect(new Set(found).size).toBe(8);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});

property('any rates are more than nothing, and no more than can be', numbers, (text) => {
  for (const rate of read(rates, text) ?? []) {
    const [amount, most] = rate.kind === 'share' ? [rate.share, 1] : [rate.perS, 1_000_000];
    expect(amount).toBeGreaterThan(0);
    expect(amount).toBeLessThanOrEqual(most);
  }
});

property(
  'a header can be sent',
  textOf('accept', ':', ' ', 'é', '…', '\n', '\r', '\0', '\t'),
  (text) => {
    const found = read(header, text);
    if (found === undefined) return;
    const [name, value] = found;
    expect(() => validateHeaderName(name)).not.toThrow();
    expect(() => validateHeaderValue(name, value)).not.toThrow();
    expect(header(`${name}: ${value}`)).toEqual(found);
  },
);

property(
  'a path is as it is sent',
  textOf('/', 'é', '?', '#', '%', ' ', '..', '\\', '"', 'a'),
  (text) => {
    const found = read(path, text);
    if (found === undefined) return;
    expect(found).toMatch(/^\/[!-~]*$/);
    expect(path(found)).toBe(found);
    const { pathname, search } = new URL(`http://host${found}`);
    expect(pathname + search).toBe(found);
  },
);

property(
  'an address has neither path nor query',
  textOf('http://', 'a', ':', '80', '/', '[::1]', '?', '@'),
  (text) => {
    const found = read(origin, text);
    if (found === undefined) return;
    expect(new URL(found).origin).toBe(found);
    expect(origin(found)).toBe(found);
  },
);

property(
  'a variable has a name that a shell takes',
  textOf('A', '=', '_', '1', ' ', '\n'),
  (text) => {
    const found = read(variable, text);
    if (found === undefined) return;
    expect(found.name).toMatch(/^[A-Za-z_]\w*$/);
    expect(found.value === null ? found.name : `${found.name}=${found.value}`).toBe(text);
  },
);

property('a word is one of those', textOf('GET', 'get', 'PO', 'ST', ' '), (text) => {
  const found = read(oneOf(['GET', 'POST']), text);
  expect(found).toBe(['GET', 'POST'].find((word) => word === text.toUpperCase()));
});
