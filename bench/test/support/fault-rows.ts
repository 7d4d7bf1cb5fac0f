/** What the repeated rounds of the fault tests say of each row of docs/RELIABILITY.md. */
import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** Each injected fault, in the order of rows, with its outcome. Its tests are in `faults/NN-*.test.ts`, or named `row N: …`. */
const OUTCOMES: Record<string, string> = {
  'SIGINT, SIGTERM or SIGHUP to the harness in any phase':
    'finished rounds are in the record, nothing is left; exit code 130, 143 or 129',
  'SIGKILL to the harness in any phase':
    'everything ends within 5 s; finished rounds are in the record',
  'a server dies at start, in warm-up, in a slice or between slices':
    'that launch of it is lost, its last lines are shown; others are unharmed',
  'one pm2 worker of several is killed in a slice':
    'flagged; the figures that it spoils are withheld',
  "the harness's pm2 daemon is killed": 'the servers under it fail; nothing is orphaned',
  'the generator is killed, stopped or slowed to a tenth':
    'the slice is measured again once, then the cell fails; never slowness of the server',
  'a server hangs, answers wrongly, breaks off, stalls, ignores SIGTERM, leaves children':
    'flagged as what it is; killed with its whole group',
  'ports are taken, or another server answers': 'told by who owns the socket; another port',
  'too few file descriptors or local ports':
    'refused before measuring, with the remedy; flagged when it happens later',
  'the disk is full, the results folder is read-only or goes away':
    'tables are printed, the record is saved elsewhere, and the run says so',
  'a record is cut off, newer, of another program, huge, or holds impossible counts':
    'refused with the reason; nothing is overwritten',
  "the user's own pm2 daemon has apps running": 'same pids, uptime and dump file afterwards',
  'two runs at once on one machine': 'the second names the first and continues; both are flagged',
  'the wall clock jumps by an hour; the run is stopped for 10 s':
    'monotonic time everywhere; the slices concerned are dropped, and counted',
  'half a core, 512 MB, `hidepid`, a read-only source tree, no `/sys/fs/cgroup`':
    'the right number of cores, fewer servers at once, or a clear refusal',
  '10,000 connections, 40 servers; simulated: 500 servers, a run of an hour':
    'memory, descriptors and record of the harness stay bounded',
  'Redis or MariaDB is killed, stopped, out of connections or of disk':
    "the launch is lost with the service's own words; no data of the user's is touched",
  'no registry, a build that fails, a runtime of another architecture':
    'said before measuring, with the command that failed',
};
export const FAULTS = Object.entries(OUTCOMES).map(([fault, outcome], place) => {
  return { row: place + 1, fault, outcome };
});

const testSchema = z.looseObject({
  fullName: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()),
});
const fileSchema = z.looseObject({
  name: z.string(),
  status: z.enum(['passed', 'failed']),
  message: z.string(),
  assertionResults: z.array(testSchema),
});

export const roundSchema = z.object({
  /** The last commit that changed the harness or its tests. */
  commit: z.string(),
  /** The files that were asked for; none means all. */
  filters: z.array(z.string()),
  /** Of vitest: 1 if a test failed, or something outside of all tests. */
  exitCode: z.int(),
  /** What is used of vitest's JSON report. */
  report: z.looseObject({ testResults: z.array(fileSchema) }),
});
export type Round = z.infer<typeof roundSchema>;

const outcomeSchema = z.enum(['passed', 'failed', 'skipped']);
const rowSchema = z.object({
  row: z.int(),
  /** Of the last round that had the row. */
  tests: z.int(),
  skipped: z.int(),
  last: outcomeSchema.nullable(),
  /** Rounds in which not all tests of the row were skipped. */
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

/** Each of so many last rounds must have passed. */
const LAST = 10;

interface Test {
  rows: number[];
  name: string;
  status: string;
  line: string;
}

/** The rows that a test's name gives, or else the row of its file. */
function rowsOf(file: string, name: string): number[] {
  const said = /\brows? (\d+(?:(?:, | and )\d+)*): /.exec(name)?.[1];
  return said ? said.split(/\D+/).map(Number) : [Number.parseInt(file, 10)];
}

/** Without the folders of this machine. */
function firstLine(text = ''): string {
  const [line = ''] = stripVTControlCharacters(text).split('\n', 1);
  return line.trim().replaceAll(/(?<![\w:/])(?:\/[\w.@+-]+)+\//g, '…/');
}

function testsOf({ report, exitCode }: Round): Test[] {
  const isFailed = (test: Test) => test.status === 'failed';
  const tests = report.testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const file = basename(path);
    const own = assertionResults.map(({ fullName, failureMessages, ...test }): Test => {
      const name = fullName.trim();
      const line = firstLine(failureMessages[0]);
      return { rows: rowsOf(file, name), name, status: test.status, line };
    });
    if (status === 'passed' || own.some(isFailed)) return own;
    // A hook or the file itself failed, and with it everything that the file is for.
    const rows = [...new Set([...rowsOf(file, file), ...own.flatMap((test) => test.rows)])];
    return [...own, { rows, name: file, status, line: firstLine(message) }];
  });
  if (exitCode === 0 || tests.some(isFailed)) return tests;
  const outside = { name: 'vitest', status: 'failed', line: 'an error outside of all tests' };
  return [...tests, { ...outside, rows: tests.flatMap(({ rows }) => rows) }];
}

function outcomeOf(tests: Test[]): z.infer<typeof outcomeSchema> {
  const all = new Set(tests.map(({ status }) => status));
  return all.has('failed') ? 'failed' : all.has('passed') ? 'passed' : 'skipped';
}

function summarizeRow(row: number, rounds: Test[][]): Row {
  const own = rounds
    .map((tests) => tests.filter(({ rows }) => rows.includes(row)))
    .filter((tests) => tests.length > 0);
  const outcomes = own.map(outcomeOf);
  const ran = outcomes.filter((outcome) => outcome !== 'skipped');
  const countPassed = (some: string[]) => some.filter((outcome) => outcome === 'passed').length;
  const failed = own.flat().filter(({ status }) => status === 'failed');
  const same = Map.groupBy(failed, ({ name, line }) => `${name}\n${line}`);
  const failures = [...same.values()].flatMap((all) => {
    return all.slice(0, 1).map(({ name, line }) => ({ test: name, line, times: all.length }));
  });
  const latest = own.at(-1) ?? [];
  return {
    row,
    tests: latest.length,
    skipped: latest.filter(({ status }) => !['passed', 'failed'].includes(status)).length,
    last: outcomes.at(-1) ?? null,
    ran: ran.length,
    passed: countPassed(ran),
    passedOfLast: countPassed(ran.slice(-LAST)),
    failures,
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
  const cells = summary.rows.flatMap((own) => {
    const known = FAULTS.filter(({ row }) => row === own.row);
    return known.map(({ row, fault, outcome }) => {
      return [`${row}`, fault, outcome, countOf(own), resultOf(own, summary)];
    });
  });
  const head = ['#', 'injected fault', 'outcome', 'tests', 'last result; passed'];
  const all = [head, ...cells];
  const widths = head.map((_, column) => {
    return Math.max(3, ...all.map((each) => each[column]?.length ?? 0));
  });
  const lines = [head, widths.map((width) => '-'.repeat(width)), ...cells].map((each) => {
    return `| ${each.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  });
  return lines.join('\n');
}

/** Each failure that was seen, on a line. */
export function failuresOf({ rows }: Summary): string[] {
  return rows.flatMap(({ row, failures }) => {
    return failures.map(({ test, line, times }) => `row ${row}, ${times} ×: ${test}: ${line}`);
  });
}
