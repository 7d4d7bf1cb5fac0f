import type { RunRecord } from '../record/record.ts';
import type { ClaimRow, ClaimTable, ComparisonRow } from '../summary/claims.ts';
import type { Machine } from '../system/machine.ts';
import { runtimeName } from '../targets/runtime.ts';
import type { Code } from '../validity/flags.ts';
import { amount, type Column, type Document, type Section, tableOf, words } from './document.ts';
import { FLAG_TEXTS } from './flag-texts.ts';
import { count, list } from './format.ts';
import { machineText } from './names.ts';
import { section } from './section.ts';
import { claimText, measuredText, publishedText } from './sections/claims.ts';
import { commandText, revisionText } from './sections/environment.ts';

/** A record, its published claims, and the name of its page. */
export interface JudgedRun {
  name: string;
  record: RunRecord;
  table: ClaimTable;
}

interface Row {
  run: JudgedRun;
  claim: ClaimRow;
}

/** The outcome of every published claim in these runs; null if none of them judges any. */
export function publishedDocument(runs: readonly JudgedRun[]): Document | null {
  const judging = runs.filter(({ table: { claims, comparisons, values } }) => {
    return claims.length > 0 && comparisons.length + values.length > 0;
  });
  if (judging.length === 0) return null;
  const bySource = Map.groupBy(judging, ({ record, table }) => table.source ?? record.suite);
  const sources = [...bySource.values()].map(rowsOf);
  const shown = sources.flat(2).map(({ run }) => run);
  const distinct = (textOf: (machine: Machine) => string | null) => {
    return [...new Set(shown.flatMap(({ record }) => textOf(record.machine) ?? []))];
  };
  const machines = distinct((machine) => machineText(machine, { hasMemory: true }));
  const revisions = distinct(revisionText);
  const others = judging.filter((run) => !shown.includes(run)).map(({ name }) => name);
  return {
    title: 'Published claims',
    intro: [
      `What others published, beside what was measured on ${machines.join('; ')}. A claim holds if its ` +
        'whole interval agrees with it, and does not hold if its whole interval contradicts it. Each row is one run, ' +
        'and the command in it repeats the measurement. If several revisions of overhead measured a claim, its rows are ' +
        'those of the newest.',
      ...(revisions.length > 0 ? [`Measured by overhead ${revisions.join('; ')}.`] : []),
      ...(others.length > 0 ? [`Runs without a row: ${list(others)}.`] : []),
    ],
    warnings: [],
    sections: sources.map(sourceSection),
    foot: [],
  };
}

function rowsOf(runs: readonly JudgedRun[]): Row[][] {
  const all = runs.flatMap((run) => run.table.claims.map((claim): Row => ({ run, claim })));
  return [...Map.groupBy(all, ({ claim }) => claim.label).values()].map(shownOf);
}

function sourceSection(claims: readonly Row[][]): Section {
  const firsts = claims.flatMap(([row]) => row ?? []);
  const [first] = firsts;
  if (first === undefined) throw new Error('a source without a claim');
  const { record, table } = first.run;
  return section(record.suite, [
    table.source && `Published: ${table.source}, on ${table.machine}.`,
    tableOf(['claim', ({ claim }) => claim.label], COLUMNS, claims.flat()),
    ...firsts.map(({ claim }) => claimText(claim)),
  ]);
}

/** Of the rows of one claim, those that the newest revision measured; one that says why not if none did. */
function shownOf(rows: readonly Row[]): Row[] {
  const startOf = ({ run }: Row) => run.record.startedAt;
  const revisionOf = ({ run }: Row) => revisionText(run.record.machine);
  const inOrder = rows.toSorted((a, b) => startOf(a).localeCompare(startOf(b)));
  const measured = inOrder.filter(({ claim }) => claim.outcome !== 'not measured');
  const newest = measured.at(-1);
  if (newest === undefined) return inOrder.slice(-1);
  return measured.filter((row) => revisionOf(row) === revisionOf(newest));
}

const COLUMNS: Column<Row>[] = [
  amount('figure', 'published', ({ claim }) => publishedText(claim) || null),
  words('figure', 'here', ({ claim }) => measuredText(claim) || null),
  words('outcome', 'outcome', ({ claim }) => claim.outcome),
  words('run', 'run', ({ run }) => run.name),
  amount('run', 'launches', ({ run }) => count(run.record.plan.launches.length)),
  words('run', 'measured by', ({ run: { record } }) => {
    return record.command.length === 0 ? null : commandText(record.command);
  }),
  words('reason', 'reason', ({ claim }) => reasonText(claim)),
];

function reasonText({ outcome, reason, rows, values }: ClaimRow): string | null {
  if (outcome === 'not measured') return reason ?? 'no run measured it';
  if (outcome !== "can't tell" || reason !== null) return reason;
  const reasons = rows.flatMap(doubts);
  if (values.some(({ isKnown }) => !isKnown)) reasons.push('a flag spoils the figure');
  if (reasons.length > 0) return [...new Set(reasons)].join('; ');
  const estimates = [
    ...rows.map(({ comparison }) => comparison.ratio),
    ...values.map(({ measured }) => measured),
  ];
  return estimates.some(({ kind }) => kind === 'point')
    ? 'too few launches for an interval'
    : 'the interval reaches both sides';
}

function doubts({ comparison, reach, runtime }: ComparisonRow): string[] {
  const { flags, isKnown, ratio } = comparison;
  if (ratio.kind !== 'interval') return [];
  const isBound = reach?.low === 0 || reach?.high === Number.POSITIVE_INFINITY;
  const codes: Code[] = isBound ? ['GENERATOR_BOUND'] : [];
  const texts = (isKnown ? codes : flags.map(({ code }) => code)).map((code) => {
    return `${code}: ${FLAG_TEXTS[code].brief}`;
  });
  if (!isKnown && texts.length === 0) texts.push('too many requests had no answer');
  return texts.map((text) => (runtime === null ? text : `${text} (${runtimeName(runtime)})`));
}
