import { excludesZero } from '../../math/sequential.ts';
import type { AbRow, AbTable, SideFigure } from '../../summary/ab.ts';
import { scaleOf } from '../../summary/named-figures.ts';
import type { Target } from '../../targets/targets.ts';
import { amount, type Column, type Section, tableOf, words } from '../document.ts';
import { asked, changeText, duration, percent, plural, plusMinus } from '../format.ts';
import { conditionName, loadWords, withUnit } from '../names.ts';
import { flaggedTable, section, unreachedSection } from '../section.ts';

/** Compares each side with the first: CPU per request with its verdict, then the other figures. */
export function abSections(table: AbTable | null): Section[] {
  if (table === null) return [unreachedSection('A and B')];
  return [answerSection(table), besideSection(table)];
}

function answerSection({ rows, condition }: AbTable): Section {
  const { plan } = condition.record;
  const nameOf = namer(rows);
  const launches = plan.launches.length;
  const why = rows
    .filter(({ verdict }) => verdict === "can't tell")
    .map((row) => `${nameOf(row)}: ${whyText(row, launches)}`);
  const reading =
    `${sidesText(rows)}A ran twice: its figures are the geometric mean of both copies, and "A vs A" is the second copy against the ` +
    `first. The 95 % intervals hold${rows.length > 1 ? ' for all rows together' : ''} at all looks together, ` +
    `one after each launch (${plural(launches, 'launch')}). Differences within ±${asked(plan.equivalence)} count as the same.`;
  const table = flaggedTable({
    name: ['request', nameOf],
    columns: [
      ...sideColumns<AbRow>('\nµs/request', ({ cpu }) => cpu),
      words('', 'verdict', ({ verdict }: AbRow) => verdict),
    ],
    rows,
    flagsOf: ({ flags }) => flags,
  });
  const heading = `CPU per request of A and B, ${conditionName(condition)}`;
  return section(heading, [...table, ...why, reading]);
}

function namer(rows: readonly AbRow[]): (row: AbRow) => string {
  const isAlone = new Set(rows.map(({ side }) => sideName(side))).size === 1;
  return ({ side }) => {
    const { path = '/', method = 'GET' } = side.requests[0]?.request ?? {};
    return `${method} ${path}${isAlone ? '' : `, ${sideName(side)}`}`;
  };
}

/** The label of a side without the path of its request. */
function sideName({ label, requests: [first] }: Target): string {
  const suffix = ` ${first?.request.path ?? ''}`;
  return label.endsWith(suffix) ? label.slice(0, -suffix.length) : label;
}

function sidesText(rows: readonly AbRow[]): string {
  const [a] = rows.map(({ first }) => sideName(first));
  const [b, ...others] = new Set(rows.map(({ side }) => sideName(side)));
  return a === undefined
    ? ''
    : `A is ${a}, B is ${others.length === 0 ? b : 'named in each row'}. `;
}

/** Why a row has no verdict, and what would give it one. */
function whyText({ cpu, lacking, smallest, flags }: AbRow, launches: number): string {
  if (cpu.apart.length === 0) return 'there is nothing to compare.';
  if (flags.length > 0) return 'its flags rule out a verdict.';
  if (excludesZero(cpu.again)) {
    return (
      `the second copy of A differs from the first by ${changeText(cpu.again)}: something here favours one server over ` +
      'another, so B gets no verdict.'
    );
  }
  const more =
    lacking === null
      ? 'no practical number of launches would decide it.'
      : `a run of about ${plural(lacking.launches, 'launch')} (${duration(lacking.ns)}: --max-time) would bring ` +
        `±${percent(lacking.share)}.`;
  return Number.isFinite(smallest)
    ? `${more} This run would detect a difference of ${percent(smallest)} four times out of five.`
    : `${more} ${plural(launches, 'launch')} ${launches === 1 ? 'shows' : 'show'} nothing yet.`;
}

function besideSection({ rows }: AbTable): Section {
  const nameOf = namer(rows);
  const all = rows.flatMap((row) => row.beside.map((figure) => ({ row, figure })));
  const columns: Column<(typeof all)[number]>[] = [
    words('', 'figure', ({ figure: { name, load } }) => {
      return withUnit(name) + (load.kind === 'open' ? ` ${loadWords(load)}` : '');
    }),
    ...sideColumns<(typeof all)[number]>('', ({ figure }) => figure),
  ];
  const table = tableOf(['request', ({ row }) => nameOf(row)], columns, all);
  return section('Requests/s, memory and latency', [table]);
}

function sideColumns<Row>(unit: string, of: (row: Row) => SideFigure): Column<Row>[] {
  const value = (head: string, side: 'first' | 'side') => {
    return amount<Row>('value', `${head}${unit}`, (row) => {
      const figure = of(row);
      return plusMinus(figure[side], scaleOf(figure.name));
    });
  };
  return [
    value('A', 'first'),
    value('B', 'side'),
    amount('more', 'B vs A', (row) => changeText(of(row).difference)),
    amount('more', 'A vs A', (row) => changeText(of(row).again)),
  ];
}
