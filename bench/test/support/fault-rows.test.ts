import { expect, test } from 'vitest';
import { failuresOf, isReliable, type Round, summarizeRounds, tableOf } from './fault-rows.ts';

/** A round in which the tests of these files ended so; a status may be followed by a colon and an error. */
function round(files: Record<string, Record<string, string>>, more: Partial<Round> = {}): Round {
  const testResults = Object.entries(files).map(([file, tests]) => ({
    name: `/somewhere/bench/test/faults/${file}`,
    status: 'passed' as 'passed' | 'failed',
    message: '',
    assertionResults: Object.entries(tests).map(([fullName, result]) => {
      const [status = '', ...error] = result.split(': ');
      return { fullName, status, failureMessages: error.length > 0 ? [error.join(': ')] : [] };
    }),
  }));
  return { commit: 'abc', filters: [], exitCode: 0, report: { testResults }, ...more };
}

const SIGNALS = '01-signals.test.ts';
const PM2 = '05-pm2.test.ts';
const FAILURE = 'failed: Error: /here/and/there.ts is left\n  at x';
const passed = round({ [SIGNALS]: { ' SIGINT': 'passed', ' nobody': 'passed' } });
const failed = round({ [SIGNALS]: { ' SIGINT': FAILURE, ' nobody': 'passed' } });
const skipped = round({ [SIGNALS]: { ' SIGINT': 'skipped' } });
const rowIn = (row: number, rounds: Round[]) => {
  return summarizeRounds(rounds).rows.find((each) => each.row === row);
};

test('a row passed in a round if none of its tests failed', () => {
  expect(rowIn(1, [passed, failed, passed])).toEqual({
    ...{ row: 1, tests: 2, skipped: 0, last: 'passed', ran: 3, passed: 2, passedOfLast: 2 },
    failures: [{ test: 'SIGINT', line: 'Error: …/there.ts is left', times: 1 }],
  });
});

test('a test belongs to the rows that its name gives, or else to that of its file', () => {
  const tests = { 'a daemon': 'passed', 'row 12: the own': 'failed', 'rows 3 and 4: x': 'passed' };
  const { rows } = summarizeRounds([round({ [PM2]: tests })]);
  const ran = rows.filter(({ last }) => last !== null).map(({ row, last }) => `${row} ${last}`);
  expect(ran).toEqual(['3 passed', '4 passed', '5 passed', '12 failed']);
});

test('a failure outside of tests is one of each row of the file', () => {
  const broken = round({ [PM2]: { 'a daemon': 'passed', 'row 12: the own': 'passed' } });
  for (const file of broken.report.testResults) {
    Object.assign(file, { status: 'failed', message: 'Error: pm2 is left' });
  }
  const failures = [{ test: PM2, line: 'Error: pm2 is left', times: 1 }];
  for (const row of [5, 12]) expect(rowIn(row, [broken])).toMatchObject({ passed: 0, failures });
  expect(failuresOf(summarizeRounds([broken, broken]))).toEqual([
    `row 5, 2 ×: ${PM2}: Error: pm2 is left`,
    `row 12, 2 ×: ${PM2}: Error: pm2 is left`,
  ]);
});

test('an error outside of all tests is a failure of every row of the round', () => {
  const failures = [{ test: 'vitest', line: 'an error outside of all tests', times: 1 }];
  expect(rowIn(1, [{ ...passed, exitCode: 1 }])).toMatchObject({ last: 'failed', failures });
  expect(rowIn(2, [{ ...passed, exitCode: 1 }])).toMatchObject({ last: null });
  expect(rowIn(1, [{ ...failed, exitCode: 1 }])?.failures).toHaveLength(1);
});

test.each<[boolean, string, Round[], number]>([
  [true, 'it passed in its last ten rounds', [failed, ...Array(10).fill(passed)], 11],
  [false, 'it failed in one of them', [failed, ...Array(9).fill(passed)], 10],
  [false, 'however often before', [...Array(10).fill(passed), failed, ...Array(9).fill(passed)], 1],
  [true, 'it passed in all that were asked for', [passed], 1],
  [false, 'there were fewer', [passed], 20],
  [false, 'there were none', [], 0],
])('a row is reliable (%s) if %s', (reliable, _, rounds, wanted) => {
  expect(isReliable(summarizeRounds(rounds).rows.slice(0, 1), wanted)).toBe(reliable);
});

test.each<[string, number, Round[], RegExp]>([
  ['no round', 1, [], /\| {2,}\| not repeated yet +\|$/],
  ['two rounds', 1, [failed, passed], /\| 2 +\| passed; 1 of 2, 1 of the last 2 +\|$/],
  ['skipped tests', 1, [skipped], /\| 1, 1 skipped +\| skipped +\|$/],
  ['no test', 2, [passed], /\| {2,}\| no test +\|$/],
  ['no test in some files', 2, [{ ...passed, filters: ['01-'] }], /\| {2,}\| not run +\|$/],
])('the table shows %s', (_, row, rounds, expected) => {
  const lines = tableOf(summarizeRounds(rounds)).split('\n');
  expect(lines.find((each) => each.startsWith(`| ${row} `))).toMatch(expected);
});

test('rounds are counted by their commits, and a row does not run if all its tests are skipped', () => {
  const rounds = [passed, { ...passed, commit: 'def+', filters: ['01-'] }, passed];
  const counts = { rounds: 3, wholeRounds: 2, commits: ['abc', 'def+'] };
  expect(summarizeRounds(rounds)).toMatchObject(counts);
  expect(rowIn(1, [passed, skipped])).toMatchObject({ ran: 1, last: 'skipped', skipped: 1 });
});
