import fc from 'fast-check';
import { expect } from 'vitest';
import {
  parseAvailable,
  parseCoreList,
  parseFileLimit,
  parseHypervisor,
  parseManifest,
  parsePortRange,
} from '../../src/system/machine.ts';
import { counts, garbled, mutated, property, textOf, unless } from '../support/random.ts';

const cores = fc.uniqueArray(fc.nat({ max: 500 }), { minLength: 1, maxLength: 60 }).map((list) => {
  return list.toSorted((a, b) => a - b);
});

/** As the kernel writes a list: `0-3,8`. */
function written(list: number[]): string {
  const ends = list.filter((core) => !(list.includes(core - 1) && list.includes(core + 1)));
  return ends
    .map((core) => (list.includes(core - 1) ? `-${core}` : `,${core}`))
    .join('')
    .slice(1);
}

property('a list of cores is read as it is written', cores, (list) => {
  expect(parseCoreList(written(list))).toEqual(list);
});

const lists = fc.oneof(textOf('0', '3', ',', '-', '99999'), garbled(cores.map(written)));
property('any other list is one of cores or an error', lists, (text) => {
  const found = unless(Error, () => parseCoreList(text)) ?? [0];
  expect(found.length).toBeGreaterThan(0);
  for (const core of found) expect(core).toBeGreaterThanOrEqual(0);
});

property('memory and limits are read as they are written', counts, (amount) => {
  const meminfo = `MemTotal: 1 kB\nMemAvailable:   ${amount} kB\n`;
  expect(parseAvailable(meminfo)).toBe(amount * 1024);
  const limits = `Max processes   1   2   processes\nMax open files            ${amount}     ${amount}     files\n`;
  expect(parseFileLimit(limits)).toBe(amount);
});

const range = fc.tuple(fc.nat({ max: 65_535 }), fc.nat({ max: 65_535 }));
property('a range of ports is as many as it holds', range, ([first, last]) => {
  const ports = last < first ? null : last - first + 1;
  expect(parsePortRange(`${first}\t${last}\n`)).toBe(ports);
});

const FILES = fc.constantFrom(
  'MemTotal: 1 kB\nMemAvailable: 45 kB\n',
  'Max open files     1024     unlimited     files\n',
  'Max open files     unlimited     unlimited     files\n',
  '32768\t60999\n',
  'Architecture: x86_64\nHypervisor vendor:   KVM\n',
);
property('of any text they are amounts or unknown', garbled(FILES), (text) => {
  const available = unless(Error, () => parseAvailable(text));
  for (const amount of [available, parseFileLimit(text), parsePortRange(text)]) {
    expect(amount ?? 0).toBeGreaterThanOrEqual(0);
    expect(amount ?? 0).toBeLessThan(Number.POSITIVE_INFINITY);
  }
  expect(parseHypervisor(text) ?? 'none').toMatch(/^\S.*$/);
});

const manifests = mutated({ version: '1.2.3', dependencies: { express: '^5.1.0' } });
const texts = manifests.map((manifest) => JSON.stringify(manifest));
property(
  'a manifest tells texts of versions, or nothing',
  fc.oneof(texts, garbled(texts)),
  (text) => {
    const found = parseManifest(text);
    if (found === null) return;
    for (const each of [found.version, ...Object.values(found.dependencies)]) {
      expect(each).toBeTypeOf('string');
    }
  },
);
