import fc from 'fast-check';
import { expect } from 'vitest';
import {
  parseProcess,
  parseSchedstat,
  parseSystem,
  peakOf,
  pssOf,
  TICK_NS,
} from '../../src/system/usage.ts';
import { character, counts, garbled, property, textOf, unless } from '../support/random.ts';

/** What is read is never less than nothing, and never no number. */
function amounts(found: object | number | undefined): void {
  const figures = typeof found === 'number' ? [found] : Object.values(found ?? {});
  for (const figure of figures) {
    if (typeof figure === 'string') expect(figure).toMatch(/^\d+$/);
    else expect(figure).toBeGreaterThanOrEqual(0);
    expect(Number(figure)).toBeLessThan(Number.POSITIVE_INFINITY);
  }
}

const cores = fc.array(counts, { minLength: 8, maxLength: 10 });
const ofCores = cores.map((ticks) => `cpu  ${ticks.join(' ')}\ncpu0 1 2 3\nintr 99 0\n`);
const name = fc.string({ unit: character, maxLength: 15 });
const ofProcess = fc.tuple(counts, name, fc.array(counts, { minLength: 48, maxLength: 48 }));
const statOf = ([pid, called, rest]: [number, string, number[]]) => {
  return `${pid} (${called}) S ${rest.join(' ')}\n`;
};

property('the busy time of all cores is the sum of its fields', cores, (ticks) => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, steal = 0] = ticks;
  expect(parseSystem(`cpu  ${ticks.join(' ')}\ncpu0 1\n`)).toEqual({
    busyNs: (user + nice + system + irq + soft) * TICK_NS,
    stealNs: steal * TICK_NS,
  });
});

property('a process is read whatever its name', ofProcess, (process) => {
  const [, , rest] = process;
  // Of the fields the first after the state, the parent, is the fourth; user and system are the 14th and 15th, those of
  // children that have ended the 16th and 17th, and the start is the 22nd.
  const places = [10, 11, 12, 13, 18, 0];
  const [user = 0, system = 0, ...others] = places.map((place) => rest[place] ?? 0);
  const [childrensUser = 0, childrensSystem = 0, started = 0, parent = 0] = others;
  const found = parseProcess(statOf(process));
  expect(found).toEqual({
    cpuNs: (user + system) * TICK_NS,
    childrensNs: (childrensUser + childrensSystem) * TICK_NS,
    ...{ parent, started: String(started) },
  });
});

property('a schedstat is read', fc.tuple(counts, counts, counts), ([cpuNs, waitNs, slices]) => {
  expect(parseSchedstat(`${cpuNs} ${waitNs} ${slices}\n`)).toEqual({ cpuNs, waitNs });
});

property('memory is read in kB, wherever its line is', fc.tuple(counts, counts), ([kb, other]) => {
  const rollup = `Rss: ${other} kB\nPss:    ${kb} kB\nSwapPss: ${other} kB\n`;
  expect(pssOf(rollup)).toBe(kb * 1024);
  expect(peakOf(rollup.replace('\nPss', '\nVmHWM'))).toBe(kb * 1024);
});

const READERS = { parseSystem, parseProcess, parseSchedstat, pssOf, peakOf };
const pieces = textOf('cpu ', 'Pss:', 'VmHWM:', ' kB', '\n', ' ', '7', '-1', ')');
const files = fc.oneof(
  ofCores,
  ofProcess.map(statOf),
  fc.tuple(counts, counts).map(([cpu, wait]) => `${cpu} ${wait} 3\n`),
  counts.map((kb) => `Pss: ${kb} kB\nVmHWM: ${kb} kB\n`),
);

for (const [reader, read] of Object.entries(READERS)) {
  property(
    `${reader} makes amounts or an error of any text`,
    fc.oneof(pieces, garbled(files)),
    (text) => amounts(unless(Error, () => read(text))),
  );
}
