import type { RunRecord } from '../record/record.ts';
import type { ClaimRow, ClaimTable, ComparisonRow } from '../summary/claims.ts';
import { runtimeName } from '../targets/runtime.ts';
import type { Document, Section } from './document.ts';
import { FLAG_TEXTS } from './flag-texts.ts';
import { count } from './format.ts';
import { machineText } from './machine-text.ts';
import { paragraph, section } from './section.ts';
import { claimText, measuredText, publishedText } from './sections/claims.ts';
import { commandText } from './sections/settings.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** A record, what it says of published claims, and what its page is called. */
export interface JudgedRun {
  name: string;
  record: RunRecord;
  table: ClaimTable;
}

interface Row {
  run: JudgedRun;
  claim: ClaimRow;
}

/** What became of every published claim in these runs; null where none of them judges any. */
export function publishedDocument(runs: readonly JudgedRun[]): Document | null {
  const judging = runs.filter(({ table: { claims, comparisons, values } }) => {
    return claims.length > 0 && comparisons.length + values.length > 0;
  });
  if (judging.length === 0) return null;
  const bySource = Map.groupBy(judging, ({ record, table }) => table.source ?? record.suite);
  const machines = new Set(
    judging.map(({ record }) => machineText(record.machine, { hasMemory: true })),
  );
  return {
    title: 'Published claims',
    intro: [
      `What others published, beside what was measured on ${[...machines].map(withoutStop).join('; ')}. A claim holds where the ` +
        'whole interval says so, and does not where all of it says otherwise. Each row is of one run, and the ' +
        'command in it measures the same again.',
    ],
    warnings: [],
    sections: [...bySource.values()].map(sourceSection),
    foot: [],
  };
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

function sourceSection(runs: readonly JudgedRun[]): Section {
  const [first] = runs;
  if (first === undefined) throw new Error('a source without a run');
  const { source, machine, claims } = first.table;
  const rows = claims.flatMap((_, place) => {
    return runs.flatMap((run): Row[] => {
      const claim = run.table.claims[place];
      return claim === undefined ? [] : [{ run, claim }];
    });
  });
  return section(first.record.suite, [
    ...(source === null ? [] : [paragraph(`Published: ${source}, on ${machine}.`)]),
    tableOf(['claim', ({ claim }) => claim.label], COLUMNS, rows),
    ...claims.map(claimText),
  ]);
}

const COLUMNS: Column<Row>[] = [
  amount('figure', 'published', ({ claim }) => publishedText(claim) || null),
  amount('figure', 'here', ({ claim }) => {
    return claim.outcome === 'not measured' ? null : measuredText(claim) || null;
  }),
  words('outcome', 'outcome', ({ claim }) => claim.outcome),
  words('run', 'run', ({ run }) => run.name),
  amount('run', 'launches', ({ run }) => count(run.record.plan.launches.length)),
  words('run', 'measured by', ({ run: { record } }) => {
    return record.command.length === 0 ? null : commandText(record.command);
  }),
  words('reason', 'not told for', ({ claim }) => reasonText(claim)),
];

/** Why a claim was not measured, or can't be told. */
function reasonText({ outcome, reason, rows, values }: ClaimRow): string | null {
  if (outcome !== "can't tell" || reason !== null) return reason;
  const reasons = [
    ...rows.flatMap(doubts),
    ...values.flatMap(({ isKnown }) => (isKnown ? [] : ['a flag spoils the figure'])),
  ];
  if (reasons.length > 0) return [...new Set(reasons)].join('; ');
  const estimates = [
    ...rows.map(({ comparison }) => comparison.ratio),
    ...values.map(({ measured }) => measured),
  ];
  return estimates.some(({ kind }) => kind === 'point')
    ? 'one launch has no interval'
    : 'the interval reaches both sides';
}

/** What keeps a ratio from being known. */
function doubts({ flags, isKnown, reach, comparison, runtime }: ComparisonRow): string[] {
  const on = runtime === null ? '' : ` (${runtimeName(runtime)})`;
  if (comparison.ratio.kind !== 'interval') return [];
  if (!isKnown) {
    const texts = flags.map(({ code }) => `${code}: ${FLAG_TEXTS[code].brief}${on}`);
    return texts.length > 0 ? texts : [`too many requests had no answer${on}`];
  }
  const isBound = reach?.low === 0 || reach?.high === Number.POSITIVE_INFINITY;
  return isBound ? [`GENERATOR_BOUND: ${FLAG_TEXTS.GENERATOR_BOUND.brief}${on}`] : [];
}
