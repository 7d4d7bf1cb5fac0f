/** What the repeated rounds of the fault tests say of each row of docs/RELIABILITY.md. */
import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** Each injected fault, with what must come of it. Its tests are in `faults/NN-*.test.ts`, or named `row N: …`. */
export const FAULTS: { row: number; fault: string; outcome: string }[] = [
  {
    row: 1,
    fault: 'SIGINT, SIGTERM or SIGHUP to the harness in any phase',
    outcome: 'finished rounds are in the record, nothing is left; exit code 130, 143 or 129',
  },
  {
    row: 2,
    fault: 'SIGKILL to the harness in any phase',
    outcome: 'everything ends within 5 s; finished rounds are in the record',
  },
  {
    row: 3,
    fault: 'a server dies at start, in warm-up, in a slice or between slices',
    outcome: 'that launch of it is lost, its last lines are shown; others are unharmed',
  },
  {
    row: 4,
    fault: 'one pm2 worker of several is killed in a slice',
    outcome: 'flagged; the figures that it spoils are withheld',
  },
  {
    row: 5,
    fault: "the harness's pm2 daemon is killed",
    outcome: 'the servers under it fail; nothing is orphaned',
  },
  {
    row: 6,
    fault: 'the generator is killed, stopped or slowed to a tenth',
    outcome: 'the slice is measured again once, then the cell fails; never slowness of the server',
  },
  {
    row: 7,
    fault: 'a server hangs, answers wrongly, breaks off, stalls, ignores SIGTERM, leaves children',
    outcome: 'flagged as what it is; killed with its whole group',
  },
  {
    row: 8,
    fault: 'ports are taken, or another server answers',
    outcome: 'told by who owns the socket; another port',
  },
  {
    row: 9,
    fault: 'too few file descriptors or local ports',
    outcome: 'refused before measuring, with the remedy; flagged when it happens later',
  },
  {
    row: 10,
    fault: 'the disk is full, the results folder is read-only or goes away',
    outcome: 'tables are printed, the record is saved elsewhere, and the run says so',
  },
  {
    row: 11,
    fault: 'a record is cut off, newer, of another program, huge, or holds impossible counts',
    outcome: 'refused with the reason; nothing is overwritten',
  },
  {
    row: 12,
    fault: "the user's own pm2 daemon has apps running",
    outcome: 'same pids, uptime and dump file afterwards',
  },
  {
    row: 13,
    fault: 'two runs at once on one machine',
    outcome: 'the second names the first and continues; both are flagged',
  },
  {
    row: 14,
    fault: 'the wall clock jumps by an hour; the run is stopped for 10 s',
    outcome: 'monotonic time everywhere; the slices concerned are dropped, and counted',
  },
  {
    row: 15,
    fault: 'half a core, 512 MB, `hidepid`, a read-only source tree, no `/sys/fs/cgroup`',
    outcome: 'the right number of cores, fewer servers at once, or a clear refusal',
  },
  {
    row: 16,
    fault: '10,000 connections, 40 servers; simulated: 500 servers, a run of an hour',
    outcome: 'memory, descriptors and record of the harness stay bounded',
  },
  {
    row: 17,
    fault: 'Redis or MariaDB is killed, stopped, out of connections or of disk',
    outcome: "the launch is lost with the service's own words; no data of the user's is touched",
  },
  {
    row: 18,
    fault: 'no registry, a build that fails, a runtime of another architecture',
    outcome: 'said before measuring, with the command that failed',
  },
];

/** The fields used here of what vitest's JSON reporter writes. */
const reportSchema = z.looseObject({
  testResults: z.array(
    z.looseObject({
      name: z.string(),
      status: z.enum(['passed', 'failed']),
      message: z.string(),
      assertionResults: z.array(
        z.looseObject({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});

export const roundSchema = z.object({
  /** The last commit that changed the harness or its tests. */
  commit: z.string(),
  /** The files that were asked for; none means all. */
  filters: z.array(z.string()),
  /** Of vitest: 1 where a test failed, or something outside of all tests. */
  exitCode: z.int(),
  report: reportSchema,
});
export type Round = z.infer<typeof roundSchema>;

const outcomeSchema = z.enum(['passed', 'failed', 'skipped']);
const rowSchema = z.object({
  row: z.int(),
  /** Of the last round that had the row. */
  tests: z.int(),
  skipped: z.int(),
  last: outcomeSchema.nullable(),
  /** A round in which all tests of the row were skipped is not one that ran. */
  ran: z.int(),
  passed: z.int(),
  passedOfLast: z.int(),
  failures: z.array(z.object({ test: z.string(), line: z.string(), times: z.int() })),
});
export const summarySchema = z.object({
  rounds: z.int(),
  wholeRounds: z.int(),
  commits: z.array(z.string()),
  rows: z.array(rowSchema),
});
export type Summary = z.infer<typeof summarySchema>;
type Row = Summary['rows'][number];

/** Of so many last rounds each must have passed. */
export const LAST = 10;

interface Test {
  rows: number[];
  name: string;
  status: string;
  line: string;
}

/** The rows that a test's name says, else that of its file. */
function rowsOf(file: string, name: string): number[] {
  const said = /\brows? (\d+(?:(?:, | and )\d+)*): /.exec(name)?.[1];
  return said ? said.split(/\D+/).map(Number) : [Number.parseInt(file, 10)];
}

/** Without where this machine has the files. */
function firstLine(text = ''): string {
  const [line = ''] = stripVTControlCharacters(text).split('\n', 1);
  return line.trim().replaceAll(/(?<![\w:/])(?:\/[\w.@+-]+)+\//g, '…/');
}

function testsOf({ report, exitCode }: Round): Test[] {
  const tests = report.testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const file = basename(path);
    const tests = assertionResults.map(({ fullName, status, failureMessages }) => {
      const name = fullName.trim();
      return { rows: rowsOf(file, name), name, status, line: firstLine(failureMessages[0]) };
    });
    if (status === 'passed' || tests.some((test) => test.status === 'failed')) return tests;
    // A hook, or the file itself: that is a failure of all that the file is for.
    const rows = [...new Set([...rowsOf(file, file), ...tests.flatMap((test) => test.rows)])];
    return [...tests, { rows, name: file, status, line: firstLine(message) }];
  });
  if (exitCode === 0 || tests.some(({ status }) => status === 'failed')) return tests;
  const line = 'an error outside of all tests';
  return [
    ...tests,
    { rows: tests.flatMap(({ rows }) => rows), name: 'vitest', status: 'failed', line },
  ];
}

function outcomeOf(tests: Test[]): z.infer<typeof outcomeSchema> {
  if (tests.some(({ status }) => status === 'failed')) return 'failed';
  return tests.some(({ status }) => status === 'passed') ? 'passed' : 'skipped';
}

function summarizeRow(row: number, rounds: Test[][]): Row {
  const own = rounds
    .map((tests) => tests.filter(({ rows }) => rows.includes(row)))
    .filter((tests) => tests.length > 0);
  const outcomes = own.map(outcomeOf);
  const ran = outcomes.filter((outcome) => outcome !== 'skipped');
  const countPassed = (some: string[]) => some.filter((outcome) => outcome === 'passed').length;
  const failed = own.flat().filter(({ status }) => status === 'failed');
  const failures = Object.values(
    Object.groupBy(failed, ({ name, line }) => `${name}\n${line}`),
  ).flatMap((same = []) => {
    return same.slice(0, 1).map(({ name, line }) => ({ test: name, line, times: same.length }));
  });
  const latest = own.at(-1) ?? [];
  const skipped = latest.filter(({ status }) => !['passed', 'failed'].includes(status)).length;
  return {
    ...{ row, tests: latest.length, skipped, last: outcomes.at(-1) ?? null },
    ...{ ran: ran.length, passed: countPassed(ran) },
    ...{ passedOfLast: countPassed(ran.slice(-LAST)), failures },
  };
}

/** Counts each row in the rounds that had a test of it, the oldest first. */
export function summarizeRounds(rounds: Round[]): Summary {
  const tests = rounds.map(testsOf);
  return {
    rounds: rounds.length,
    wholeRounds: rounds.filter(({ filters }) => filters.length === 0).length,
    commits: [...new Set(rounds.map(({ commit }) => commit))],
    rows: FAULTS.map(({ row }) => summarizeRow(row, tests)),
  };
}

/** Whether each row passed in its last ten rounds, or in as many as there should be. */
export function isReliable(rows: Row[], rounds: number): boolean {
  return rows.every(({ ran, passedOfLast }) => {
    return ran >= Math.min(LAST, rounds) && ran > 0 && passedOfLast === Math.min(LAST, ran);
  });
}

function countOf({ tests, skipped }: Row): string {
  if (tests === 0) return '';
  return skipped === 0 ? `${tests}` : `${tests}, ${skipped} skipped`;
}

function resultOf({ last, ran, passed, passedOfLast }: Row, { rounds, wholeRounds }: Summary) {
  if (rounds === 0) return 'not repeated yet';
  if (last === null) return wholeRounds > 0 ? 'no test' : 'not run';
  const ofLast = `${passedOfLast} of the last ${Math.min(LAST, ran)}`;
  return ran === 0 ? 'skipped' : `${last}; ${passed} of ${ran}, ${ofLast}`;
}

/** The matrix as Markdown. */
export function tableOf(summary: Summary): string {
  const cells = FAULTS.flatMap(({ row, fault, outcome }) => {
    const own = summary.rows.find((each) => each.row === row);
    if (own === undefined) return [];
    return [[`${row}`, fault, outcome, countOf(own), resultOf(own, summary)]];
  });
  const all = [['#', 'injected fault', 'outcome', 'tests', 'last result; passed'], ...cells];
  const widths = all[0]?.map((_, column) =>
    Math.max(3, ...all.map((each) => each[column]?.length ?? 0)),
  );
  const lines = all.map((each) => {
    return `| ${each.map((text, column) => text.padEnd(widths?.[column] ?? 0)).join(' | ')} |`;
  });
  const rule = `| ${widths?.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return lines.toSpliced(1, 0, rule).join('\n');
}

/** Each failure that was seen, on a line. */
export function failuresOf({ rows }: Summary): string[] {
  return rows.flatMap(({ row, failures }) => {
    return failures.map(({ test, line, times }) => `row ${row}, ${times} ×: ${test}: ${line}`);
  });
}
