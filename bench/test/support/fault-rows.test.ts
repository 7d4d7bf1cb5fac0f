import { expect, test } from 'vitest';
import { failuresOf, isReliable, type Round, summarizeRounds, tableOf } from './fault-rows.ts';

type Tests = Record<string, string>;

/** A round in which the tests of these files ended so; a status with a colon has an error after it. */
function round(files: Record<string, Tests>, more: Partial<Round> = {}): Round {
  const testResults = Object.entries(files).map(([file, tests]) => ({
    name: `/somewhere/bench/test/faults/${file}`,
    status: 'passed' as 'passed' | 'failed',
    message: '',
    assertionResults: Object.entries(tests).map(([fullName, told]) => {
      const [status = '', ...error] = told.split(': ');
      return { fullName, status, failureMessages: error.length > 0 ? [error.join(': ')] : [] };
    }),
  }));
  return { commit: 'abc', filters: [], exitCode: 0, report: { testResults }, ...more };
}

const SIGNALS = '01-signals.test.ts';
const PM2 = '05-pm2.test.ts';
const passed = round({ [SIGNALS]: { ' SIGINT': 'passed', ' nobody': 'passed' } });
const failed = round({
  [SIGNALS]: {
    ' SIGINT': 'failed: Error: /here/and/there.ts is left\n  at x',
    ' nobody': 'passed',
  },
});
const rowIn = (row: number, rounds: Round[]) => {
  return summarizeRounds(rounds).rows.find((each) => each.row === row);
};

test('a row passed in a round when none of its tests failed', () => {
  expect(rowIn(1, [passed, failed, passed])).toEqual({
    ...{ row: 1, tests: 2, skipped: 0, last: 'passed', ran: 3, passed: 2, passedOfLast: 2 },
    failures: [{ test: 'SIGINT', line: 'Error: …/there.ts is left', times: 1 }],
  });
});

test('a test is of the rows that its name says, else of that of its file', () => {
  const rounds = [
    round({
      [PM2]: { 'a daemon': 'passed', 'row 12: the own': 'failed', 'rows 3 and 4: x': 'passed' },
    }),
  ];
  const last = summarizeRounds(rounds).rows.flatMap((each) =>
    each.last ? [[each.row, each.last]] : [],
  );
  expect(last).toEqual([
    [3, 'passed'],
    [4, 'passed'],
    [5, 'passed'],
    [12, 'failed'],
  ]);
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

test('a row whose tests were all skipped did not run', () => {
  const skipped = round({ [SIGNALS]: { ' SIGINT': 'skipped' } });
  expect(rowIn(1, [passed, skipped])).toMatchObject({ ran: 1, last: 'skipped', skipped: 1 });
  expect(tableOf(summarizeRounds([skipped]))).toMatch(/^\| 1 .*\| 1, 1 skipped +\| skipped +\|$/m);
});

test('a row is reliable when it passed in each of its last ten rounds', () => {
  const reliable = (rounds: Round[], wanted: number) => {
    return isReliable(summarizeRounds(rounds).rows.slice(0, 1), wanted);
  };
  const ten = Array.from({ length: 10 }, () => passed);
  expect(reliable([failed, ...ten], 11)).toBe(true);
  expect(reliable([failed, ...ten.slice(1)], 10)).toBe(false);
  expect(reliable([...ten, failed, ...ten.slice(1)], 1)).toBe(false);
  expect(reliable([passed], 1)).toBe(true);
  expect(reliable([passed], 20)).toBe(false);
  expect(reliable([], 0)).toBe(false);
});

test('the table says what was counted, and nothing where nothing was', () => {
  const line = (row: number, rounds: Round[]) => {
    const lines = tableOf(summarizeRounds(rounds)).split('\n');
    return lines
      .find((each) => each.startsWith(`| ${row} `))
      ?.split(' | ')
      .slice(3)
      .join('|');
  };
  expect(line(1, [])).toMatch(/^ *\|not repeated yet/);
  expect(line(1, [failed, passed])).toMatch(/^2 *\|passed; 1 of 2, 1 of the last 2 /);
  expect(line(2, [passed])).toMatch(/^ *\|no test/);
  expect(line(2, [{ ...passed, filters: ['01-'] }])).toMatch(/^ *\|not run/);
});

test('the commits of the rounds are counted', () => {
  const rounds = [passed, { ...passed, commit: 'def+', filters: ['01-'] }, passed];
  expect(summarizeRounds(rounds)).toMatchObject({
    ...{ rounds: 3, wholeRounds: 2, commits: ['abc', 'def+'] },
  });
});
