import { expect, test } from 'vitest';
import { floorCellOf } from '../../src/figures/figures.ts';
import { limitSection } from '../../src/report/sections/limits.ts';
import { summarizeLimits } from '../../src/summary/limits.ts';
import { summarize } from '../../src/summary/summary.ts';
import { rowsOf, shown } from '../report/look.ts';
import { type Limited, makeLimitedRecord } from '../support/make-limited-record.ts';
import { present } from '../support/summaries.ts';

function tableOf(limited: Partial<Limited>) {
  const record = makeLimitedRecord({ limits: [0.25], p99Ms: () => 10, ...limited });
  const [table, ...others] = summarizeLimits(summarize(record));
  if (table === undefined || others.length > 0) throw new Error('there is not one load');
  return table;
}

const less: Limited['p99Ms'] = (threads) => 10 / threads;
const same: Limited['p99Ms'] = () => 10;
/** Of one and two threads always the same, and of four in each launch. */
const four = (...times: number[]): Limited['p99Ms'] => {
  const inLaunch: Record<number, number[]> = { 1: [10, 10, 10], 2: [5, 5.1, 4.9], 4: times };
  return (threads, launch) => inLaunch[threads]?.[launch] ?? 0;
};
const [unlike, better] = [four(4.9, 5.1, 4.8), four(2.5, 2.6, 2.4)];

test.each<[string, Limited['p99Ms'], wants: string, ...verdicts: string[]]>([
  ['the fewest if it is the same', same, 'single', 'same'],
  ['the fewest better ones if more do not beat them', unlike, '2', 'faster', 'faster'],
  ['more if these are shown to beat fewer', better, '4', 'faster', 'faster'],
])('CPU limits want %s', (_, p99Ms, wants, ...verdicts) => {
  const [setting] = tableOf({ p99Ms, numbers: [2, 4].slice(0, verdicts.length) }).settings;
  expect(setting).toMatchObject({ target: { cpuLimit: 0.25 }, base: { id: 'single' } });
  expect(setting?.wants?.id).toBe(wants);
  const firsts = verdicts.map((verdict) => ({ name: 'p99', comparison: { verdict } }));
  expect(setting?.others.map(({ readings: [first] }) => first)).toMatchObject(firsts);
});

test.each([
  ['some of the time', (launch: number) => (launch === 1 ? 100 : 0)],
  ['all of the time', () => 100],
])('fewer late answers meet no CPU limit if a server dropped requests %s', (_, inLaunch) => {
  const dropped: Limited['dropped'] = (threads, launch) => (threads === 1 ? 0 : inLaunch(launch));
  // What two threads do answer takes half the time.
  const [setting] = tableOf({ p99Ms: less, dropped }).settings;
  const readings = setting?.others[0]?.readings ?? [];
  expect(readings.map(({ comparison }) => comparison.verdict)).not.toContain('faster');
  expect(readings).toHaveLength(2);
  expect(setting?.wants?.id).not.toBe('2');
});

test('CPU limits under a closed load are compared by requests/s', () => {
  const { settings } = tableOf({ isClosed: true });
  expect(settings[0]?.others[0]?.readings.map(({ name }) => name)).toEqual(['throughput']);
});

test('the floor of a limited target is the one under the same limit', () => {
  const record = makeLimitedRecord({ limits: [0.25, 0.5], p99Ms: same, withFloor: true });
  expect(record.plan.cells).not.toEqual([]);
  for (const cell of record.plan.cells) {
    expect(floorCellOf(record, cell)?.target).toBe(`floor@${cell.target.split('@')[1]}`);
  }
});

test('context switches are shown where the record has them, and no limit that was reached as not reached', () => {
  const record = makeLimitedRecord({ limits: [0.25], p99Ms: same });
  const section = () => {
    const [table] = summarizeLimits(summarize(record));
    return limitSection(present(table, 'limit'));
  };
  expect(shown(section())).not.toMatch(/switches|Never reached/);
  for (const { measurement } of record.slices) {
    const { ok } = measurement.window;
    measurement.scheduling = { voluntary: 3 * ok, involuntary: 2 * ok, faults: 0 };
  }
  const switches = expect.arrayContaining(['3.00 ±0.00', '2.00 ±0.00']);
  expect(rowsOf(section())[0]).toEqual(switches);
  // Older records lack what ended threads had used.
  const [first] = record.slices;
  if (first?.measurement.scheduling) first.measurement.scheduling.involuntary = -9000;
  expect(rowsOf(section())[0]).toEqual(switches);
});
