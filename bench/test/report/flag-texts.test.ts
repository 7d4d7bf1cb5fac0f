import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evidenceText, FLAG_TEXTS } from '../../src/report/flag-texts.ts';
import { type FlaggedRow, notesOf } from '../../src/report/section.ts';
import type { Flag } from '../../src/validity/flags.ts';
import { interval } from '../support/make-record.ts';
import { shown } from './look.ts';

const uneven = { evenness: 0.25, launch: 0 };
const FLAGS: Flag[] = [
  { code: 'BAD_RESPONSE', wrong: 12, answers: 1200 },
  { code: 'LEDGER', sent: 99_100, unaccounted: 900 },
  { code: 'LITTLE', ratio: 1.176, low: 0.9, high: 1.032 },
  { code: 'CENSORED', timedOut: 82_560, disconnected: 1, answered: 491, waiting: 0.997 },
  { code: 'CENSORED', timedOut: 1, disconnected: 0, answered: 99, waiting: null },
  { code: 'GENERATOR_BOUND', idleShare: 0.0027 },
  { code: 'REGIME', otherTarget: 'b', idleShare: 0, otherIdleShare: 0.2 },
  { code: 'HEADROOM', ratio: 1.1 },
  { code: 'UNSATURATED', busyShare: 0.72, idleShare: 0.115 },
  { code: 'SHARED_CPU', workers: 1, by: 'processes', cores: 2 },
  { code: 'SHARED_CPU', workers: 2, by: 'threads', cores: 2 },
  { code: 'LATE', late: 4, slices: 12, p99Ns: 1.53e6 },
  { code: 'GENERATOR_LOST', slices: 1, of: 6, share: 0.333 },
  { code: 'DROPPED', dropped: 1200, planned: 50_000 },
  { code: 'BACKLOG', answeredShare: 0.5 },
  { code: 'THROTTLED', cores: 0.25, periodsShare: 0.93, timeShare: 1.2 },
  { code: 'UNSTEADY', halves: interval(1.06, 1.04, 1.08), capped: 0, slices: 30 },
  { code: 'UNSTEADY', halves: { kind: 'none' }, capped: 3, slices: 30 },
  { code: 'NOISY_HOST', disturbed: 8, slices: 30, worst: { kind: 'steal', share: 0.12 } },
  { code: 'FAILED', launch: 1, when: 'slice', died: true, measured: 3, launches: 4 },
  { code: 'FAILED', launch: 0, when: 'start', died: false, measured: 0, launches: 1 },
  { code: 'OTHER_RUN' },
  { code: 'UNSETTLED', settled: 2, launches: 5 },
  { code: 'NOT_QUIET', busy: 1, slices: 9 },
  { code: 'IDLE_USE', share: 0.125 },
  { code: 'TOPOLOGY', ...uneven },
  { code: 'SPREAD', ...uneven },
  { code: 'IMPOSSIBLE', usedShare: 1.1, cores: 1 },
  { code: 'IMPOSSIBLE', usedShare: 1.1, cores: 0.5 },
  { code: 'INCONCLUSIVE', launches: 6, halfShare: 0.123, asked: 0.1 },
  { code: 'INCONCLUSIVE', launches: 1, halfShare: null, asked: 0.1 },
];

test('the texts of all flags are as shown', async () => {
  const texts = Object.entries(FLAG_TEXTS).map(([code, { brief, more }]) => {
    const seen = FLAGS.filter((flag) => flag.code === code).map(evidenceText);
    expect(seen, code).not.toEqual([]);
    return [`${code}: ${brief}`, `    ${more}`, ...seen.map((each) => `  - ${each}`)].join('\n');
  });
  const golden = join(import.meta.dirname, 'golden', 'flags.txt');
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(golden);
});

test.each(Object.entries(FLAG_TEXTS))('%s has one line, and whole sentences', (code, texts) => {
  expect(`a ${code}: ${texts.brief}.`.length).toBeLessThanOrEqual(100);
  expect(texts.more).toMatch(/^[A-Z].*\.$/s);
});

const shared = (workers: number): Flag => {
  return { code: 'SHARED_CPU', workers, by: 'processes', cores: 2 };
};
const bad: Flag = { code: 'BAD_RESPONSE', wrong: 1, answers: 2 };
const noted = (...rows: Flag[][]): FlaggedRow[] => {
  return rows.map((flags, index) => ({ label: `row ${index}`, flags }));
};
const linesOf = ({ blocks }: ReturnType<typeof notesOf>) => shown({ blocks }).split('\n');

const INVALID = 'a BAD_RESPONSE (invalid requests/s, latency, CPU and memory):';
const WRONG = '1 of 2 answers had the wrong status or body.';
const share = (workers: number) => `${workers} server processes and the generator share 2 cores`;
const EXAMPLE = 'for example row 0: 1 server process and the generator share 2 cores.';
const MANY = [1, 2, 3, 4].map((workers) => [shared(workers)]);

test.each<[rows: Flag[][], ...lines: string[]]>([
  [[[bad], [shared(2)]], `${INVALID} row 0: ${WRONG}`, `b SHARED_CPU: row 1: ${share(2)}.`],
  [
    [[shared(2)], [shared(4)], [shared(2)], []],
    `a SHARED_CPU: row 0, row 2: ${share(2)}; row 1: ${share(4)}.`,
  ],
  [[[shared(2)], [shared(2)]], `a SHARED_CPU: all: ${share(2)}.`],
  [[[shared(2)]], `a SHARED_CPU: row 0: ${share(2)}.`],
  [MANY, `a SHARED_CPU: all; ${EXAMPLE}`],
  [[...MANY, []], `a SHARED_CPU: row 0, row 1, row 2, row 3; ${EXAMPLE}`],
  [MANY.slice(1), `a SHARED_CPU: row 0: ${share(2)}; row 1: ${share(3)}; row 2: ${share(4)}.`],
])('footnotes name the rows with the same evidence together: %#', (rows, ...lines) => {
  expect(linesOf(notesOf(noted(...rows)))).toEqual(lines);
});

test('footnotes say which figures are invalid, where others are not', () => {
  const little: Flag = { code: 'LITTLE', ratio: 2, low: 0.9, high: 1.1 };
  const impossible: Flag = { code: 'IMPOSSIBLE', usedShare: 1.2, cores: 1 };
  const unsettled: Flag = { code: 'UNSETTLED', settled: 0, launches: 3 };
  const lines = linesOf(notesOf(noted([little, impossible, unsettled]), () => 'here'));
  expect(lines).toEqual([
    ...['a LITTLE (invalid latency): here.', 'b IMPOSSIBLE (invalid CPU): here.'],
    'c UNSETTLED: here.',
  ]);
});
