import type { RunRecord } from '../record/record.ts';
import type { ClaimRow, ClaimTable, ComparisonRow } from '../summary/claims.ts';
import { runtimeName } from '../targets/runtime.ts';
import type { Code } from '../validity/flags.ts';
import type { Document, Section } from './document.ts';
import { FLAG_TEXTS } from './flag-texts.ts';
import { count } from './format.ts';
import { machineText } from './names.ts';
import { paragraph, section } from './section.ts';
import { claimText, measuredText, publishedText } from './sections/claims.ts';
import { commandText, revisionText } from './sections/environment.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

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
  const machines = judging.map(({ record }) => machineText(record.machine, { hasMemory: true }));
  const revisions = new Set(judging.flatMap(({ record }) => revisionText(record.machine) ?? []));
  return {
    title: 'Published claims',
    intro: [
      `What others published, beside what was measured on ${[...new Set(machines)].join('; ')}. A claim holds if its ` +
        'whole interval agrees with it, and does not hold if its whole interval contradicts it. Each row is one run, ' +
        'and the command in it repeats the measurement. A run has no row for a claim that it did not measure if another run did.',
      ...(revisions.size > 0 ? [`Measured by overhead ${[...revisions].join('; ')}.`] : []),
    ],
    warnings: [],
    sections: [...bySource.values()].map(sourceSection),
    foot: [],
  };
}

function sourceSection(runs: readonly JudgedRun[]): Section {
  const [first] = runs;
  if (first === undefined) throw new Error('a source without a run');
  const { source, machine } = first.table;
  const all = runs.flatMap((run) => run.table.claims.map((claim): Row => ({ run, claim })));
  const byClaim = [...Map.groupBy(all, ({ claim }) => claim.label).values()];
  return section(first.record.suite, [
    ...(source === null ? [] : [paragraph(`Published: ${source}, on ${machine}.`)]),
    tableOf(['claim', ({ claim }) => claim.label], COLUMNS, byClaim.flatMap(shownOf)),
    ...byClaim.flatMap(([row]) => (row === undefined ? [] : claimText(row.claim))),
  ]);
}

/** Of the rows of one claim, those of the runs that measured it; one that says why not if none did. */
function shownOf(rows: readonly Row[]): readonly Row[] {
  const measured = rows.filter(({ claim }) => claim.outcome !== 'not measured');
  return measured.length > 0 ? measured : rows.slice(0, 1);
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
  if (outcome !== "can't tell" || reason !== null) return reason;
  const reasons = rows.flatMap(doubts);
  if (values.some(({ isKnown }) => !isKnown)) reasons.push('a flag spoils the figure');
  if (reasons.length > 0) return [...new Set(reasons)].join('; ');
  const estimates = [
    ...rows.map(({ comparison }) => comparison.ratio),
    ...values.map(({ measured }) => measured),
  ];
  return estimates.some(({ kind }) => kind === 'point')
    ? 'one launch gives no interval'
    : 'the interval reaches both sides';
}

function doubts({ flags, isKnown, reach, comparison, runtime }: ComparisonRow): string[] {
  if (comparison.ratio.kind !== 'interval') return [];
  const isBound = reach?.low === 0 || reach?.high === Number.POSITIVE_INFINITY;
  const codes: Code[] = isBound ? ['GENERATOR_BOUND'] : [];
  const texts = (isKnown ? codes : flags.map(({ code }) => code)).map((code) => {
    return `${code}: ${FLAG_TEXTS[code].brief}`;
  });
  if (!isKnown && texts.length === 0) texts.push('too many requests had no answer');
  return texts.map((text) => (runtime === null ? text : `${text} (${runtimeName(runtime)})`));
}
