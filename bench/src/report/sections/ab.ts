import { excludesZero } from '../../math/sequential.ts';
import type { Estimate } from '../../math/statistics.ts';
import type { RunRecord } from '../../record/record.ts';
import type { AbRow, AbTable, SideFigure, SideFigureName } from '../../summary/ab.ts';
import type { Target } from '../../targets/targets.ts';
import type { Section } from '../document.ts';
import { asked, changeText, duration, percent, plural, plusMinus } from '../format.ts';
import { conditionName, loadWords } from '../names.ts';
import { flaggedTable, paragraph, section, unreachedSection } from '../section.ts';
import { amount, type Column, tableOf, words } from '../tabulate.ts';

/** Each side beside the first one: what a request costs, and the verdict; then what else was measured. */
export function abSections(table: AbTable | null, record: RunRecord): Section[] {
  if (table === null) return [unreachedSection('A and B')];
  return [answerSection(table, record), besideSection(table)];
}

function answerSection({ rows, condition }: AbTable, record: RunRecord): Section {
  const names = namesOf(rows);
  const nameOf = (row: AbRow) => rowName(row, names);
  const { blocks, codes } = flaggedTable({
    name: ['asked', nameOf],
    columns: ANSWER,
    rows,
    flagsOf: ({ flags }) => flags,
  });
  const text = [
    ...rows.flatMap((row) => whySentence(row, nameOf(row), record)),
    [...sidesText(rows, names), readingText(rows, record)].join(' '),
  ];
  const heading = `What B costs beside A, ${conditionName(condition)}`;
  return section(heading, [...blocks, ...text.map(paragraph)], codes);
}

const ANSWER: Column<AbRow>[] = [
  amount('CPU µs/request', 'A', ({ cpu }) => plusMinus(cpu.first, 1000)),
  amount('CPU µs/request', 'B', ({ cpu }) => plusMinus(cpu.side, 1000)),
  amount('more than A', 'B', ({ cpu }) => changeText(cpu.difference)),
  amount('more than A', 'A again', ({ cpu }) => changeText(cpu.again)),
  words('', 'verdict', ({ verdict }) => verdict),
];

/** What the sides are called, without what they are asked. */
function namesOf(rows: readonly AbRow[]): Map<Target, string> {
  const targets = rows.flatMap(({ first, side }) => [first, side]);
  return new Map(targets.map((target) => [target, sideName(target)]));
}

function sideName({ label, requests }: Target): string {
  const suffix = ` ${requests[0]?.request.path ?? ''}`;
  return label.endsWith(suffix) ? label.slice(0, -suffix.length) : label;
}

/** What is asked, and of whom where there are several sides beside the first. */
function rowName({ side }: AbRow, names: ReadonlyMap<Target, string>): string {
  const { path = '/', method = 'GET' } = side.requests[0]?.request ?? {};
  const isAlone = othersOf(names).length === 1;
  return `${method} ${path}${isAlone ? '' : `, ${names.get(side)}`}`;
}

function othersOf(names: ReadonlyMap<Target, string>): string[] {
  const others = [...names].filter(([target]) => target.variantOf !== null);
  return [...new Set(others.map(([, name]) => name))];
}

function sidesText(rows: readonly AbRow[], names: ReadonlyMap<Target, string>): string[] {
  const [row] = rows;
  const others = othersOf(names);
  const other = others.length === 1 ? others[0] : 'the side of each row';
  return row === undefined ? [] : [`A is ${names.get(row.first)}, B is ${other}.`];
}

function readingText(rows: readonly AbRow[], { plan }: RunRecord): string {
  const all = rows.length === 1 ? '' : ' for all rows together';
  return (
    'A ran twice, and its figures are the mean of both; how much more the second cost says how far apart the same ' +
    `thing comes out here. Intervals hold at 95 %${all} however often the run looked at them (${plural(plan.launches.length, 'launch', 'launches')}). ` +
    `Within ±${asked(plan.equivalence)} sides are the same.`
  );
}

/** Why a row has no verdict, and what it takes to get one. */
function whySentence(row: AbRow, name: string, { plan }: RunRecord): string[] {
  const { verdict, cpu, lacking, smallest, flags } = row;
  if (verdict !== "can't tell") return [];
  if (cpu.apart.length === 0) return [`${name}: there is nothing to compare.`];
  if (flags.length > 0) return [`${name}: its flags rule out a verdict.`];
  if (excludesZero(cpu.again)) {
    return [
      `${name}: the second copy of A differs from the first by ${changeText(cpu.again)}, though it is the same: ` +
        `something here favours one over the other, and no verdict of B stands.`,
    ];
  }
  const more =
    lacking === null
      ? 'It would take more launches than anybody waits for.'
      : `It takes a run of about ${plural(lacking.launches, 'launch', 'launches')}, about ${duration(lacking.ns)} (--max-time), for ±${percent(lacking.share)}.`;
  const seen = Number.isFinite(smallest)
    ? ` This run would have seen a difference of ${percent(smallest)} four times out of five.`
    : ` ${plural(plan.launches.length, 'launch says', 'launches say')} nothing yet.`;
  return [`${name}: ${more}${seen}`];
}

/** A figure beside CPU time, of a row. */
interface BesideRow {
  name: string;
  row: AbRow;
  beside: SideFigure;
}

function besideSection({ rows }: AbTable): Section {
  const names = namesOf(rows);
  const all = rows.flatMap((row) => {
    return row.beside.map((beside): BesideRow => ({ name: rowName(row, names), row, beside }));
  });
  return section('Requests/s, memory and latency', [
    tableOf(['asked', ({ name }) => name], BESIDE, all),
  ]);
}

const BESIDE: Column<BesideRow>[] = [
  words('', 'figure', ({ beside }) => figureText(beside)),
  amount('', 'A', ({ beside }) => valueText(beside, beside.first)),
  amount('', 'B', ({ beside }) => valueText(beside, beside.side)),
  amount('more than A', 'B', ({ beside }) => changeText(beside.difference)),
  amount('more than A', 'A again', ({ beside }) => changeText(beside.again)),
];

/** What figures are called, and their units in base units. */
const FIGURES: Record<SideFigureName, { text: string; scale: number }> = {
  cpu: { text: 'CPU µs/request', scale: 1000 },
  throughput: { text: 'requests/s', scale: 1 },
  memory: { text: 'peak memory, MB', scale: 1e6 },
  p50: { text: 'p50, ms', scale: 1e6 },
  p99: { text: 'p99, ms', scale: 1e6 },
};

function figureText({ name, load }: SideFigure): string {
  const { text } = FIGURES[name];
  return load.kind === 'open' ? `${text} ${loadWords(load)}` : text;
}

function valueText({ name }: SideFigure, value: Estimate): string {
  return plusMinus(value, FIGURES[name].scale);
}
