/** Summarizes the repeated rounds of the fault tests for the table in docs/RELIABILITY.md. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

const DOCUMENT = join(import.meta.dirname, '../../../docs/RELIABILITY.md');
export const TABLE = /^\| # .*(\n\|.*)*/m;

/** The rows of the document's table. Tests of row N are in `faults/NN-*.test.ts`, or named `row N: …`. */
export const FAULTS = (TABLE.exec(readFileSync(DOCUMENT, 'utf8'))?.[0] ?? '')
  .split('\n')
  .slice(2)
  .map((line) => {
    const [, row, fault = '', outcome = ''] = line.split('|').map((cell) => cell.trim());
    return { row: Number(row), fault, outcome };
  });

const fileSchema = z.looseObject({
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
});

export const roundSchema = z.object({
  /** The last commit that changed the harness or its tests. */
  commit: z.string(),
  /** The file names given on the command line; empty for all files. */
  filters: z.array(z.string()),
  /** Of vitest: 1 if a test failed, or if there was an error outside of all tests. */
  exitCode: z.int(),
  /** The parts of vitest's JSON report that are used here. */
  report: z.looseObject({ testResults: z.array(fileSchema) }),
});
export type Round = z.infer<typeof roundSchema>;

const rowSchema = z.object({
  row: z.int(),
  /** In the last round with tests of this row. */
  tests: z.int(),
  skipped: z.int(),
  last: z.enum(['passed', 'failed', 'skipped']).nullable(),
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

/** A row is reliable if it passed in this many last rounds. */
const LAST = 10;

type Test = ReturnType<typeof testsOf>[number];

/** The rows named in a test's title, or else the row of its file. */
function rowsOf(file: string, title: string): number[] {
  const named = /\brows? (\d+(?:(?:, | and )\d+)*): /.exec(title)?.[1];
  return named ? named.split(/\D+/).map(Number) : [Number.parseInt(file, 10)];
}

/** The first line of an error, without the folders of this machine. */
function firstLine(text = ''): string {
  const [line = ''] = stripVTControlCharacters(text).split('\n', 1);
  return line.trim().replaceAll(/(?<![\w:/])(?:\/[\w.@+-]+)+\//g, '…/');
}

function testsOf({ report, exitCode }: Round) {
  const isFailed = ({ status }: { status: string }) => status === 'failed';
  const tests = report.testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const file = basename(path);
    const own = assertionResults.map(({ fullName, failureMessages, ...test }) => {
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

function outcomeOf(tests: Test[]): Exclude<Row['last'], null> {
  const statuses = tests.map(({ status }) => status);
  return (['failed', 'passed'] as const).find((each) => statuses.includes(each)) ?? 'skipped';
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

/** Counts how often each row passed in these rounds, the oldest first. */
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

export function tableOf(summary: Summary): string {
  const cells = FAULTS.flatMap(({ row, fault, outcome }) => {
    const own = summary.rows.filter((each) => each.row === row);
    return own.map((each) => [`${row}`, fault, outcome, countOf(each), resultOf(each, summary)]);
  });
  const head = ['#', 'injected fault', 'outcome', 'tests', 'last result; passed'];
  const widths = head.map((_, column) => {
    return Math.max(3, ...[head, ...cells].map((each) => each[column]?.length ?? 0));
  });
  const lines = [head, widths.map((width) => '-'.repeat(width)), ...cells].map((each) => {
    return `| ${each.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  });
  return lines.join('\n');
}

/** A line for each failure. */
export function failuresOf({ rows }: Summary): string[] {
  return rows.flatMap(({ row, failures }) => {
    return failures.map(({ test, line, times }) => `row ${row}, ${times} ×: ${test}: ${line}`);
  });
}
