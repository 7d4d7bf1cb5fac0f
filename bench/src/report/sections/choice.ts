import { type Choice, type ChoiceRow, carries } from '../../summary/choice.ts';
import { amount, type Column, type Section, words } from '../document.ts';
import { limit, list, perSecond, plusMinus } from '../format.ts';
import { loadName, rowNames } from '../names.ts';
import { cellSection } from '../section.ts';
import { leading } from './columns.ts';

/** What each server needs at one rate, or the highest of several rates that it can carry, and which is the cheapest. */
export function choiceSection(choice: Choice): Section {
  const { rows, loads, p99Ns } = choice;
  const nameOf = rowNames(rows);
  const namesOf = (some: readonly ChoiceRow[]) => list(some.map(nameOf));
  const [only, ...others] = loads;
  const isCurve = others.length > 0;
  const verdict = (ns: number) => {
    return words<ChoiceRow>('', `p99 within\n${limit(ns)}`, (row) => row.verdict);
  };
  const heading = isCurve || !only ? 'requests/s per core and per GB' : loadName(only);
  return cellSection(`Which server: ${heading}`, {
    name: ['target', nameOf],
    columns: isCurve ? CARRIED : [...NEEDED, ...(p99Ns === null ? [] : [verdict(p99Ns)])],
    rows,
    text: [
      ...(isCurve ? carriedText(choice, namesOf) : [cheapestText(choice, namesOf)]),
      p99Ns === null ? 'Add --p99 50ms to see which servers answer within 50 ms.' : null,
      'CPU includes idle use. CPU and memory are those of the server and its manager, without services. p99 is the mean over ' +
        'launches.',
    ],
  });
}

const P99 = amount<ChoiceRow>('', 'p99\nms', ({ p99, isBound }) => {
  return isBound && p99.kind !== 'none' ? `> ${limit(p99.value)}` : plusMinus(p99, 1e6);
});

const NEEDED: Column<ChoiceRow>[] = [
  leading(amount('', 'CPU, %\nof a core', ({ cores }) => plusMinus(cores, 0.01))),
  amount('', 'memory\nMB', ({ bytes }) => plusMinus(bytes, 1e6)),
  amount('', 'processes', ({ processes }) => processes?.toString()),
  P99,
];

const CARRIED: Column<ChoiceRow>[] = [
  amount('', 'carries\nrequests/s', (row) => {
    return carries(row) ? perSecond(row.load.ratePerS) : (row.verdict ?? row.state);
  }),
  whereCarried(P99),
  whereCarried(amount('', 'requests/s\nper core', ({ perCore }) => plusMinus(perCore))),
  whereCarried(amount('', 'requests/s\nper GB', ({ perByte }) => plusMinus(perByte, 1e-9))),
];

function whereCarried(column: Column<ChoiceRow>): Column<ChoiceRow> {
  return { ...column, cell: (row) => (carries(row) ? column.cell(row) : null) };
}

type NamesOf = (rows: readonly ChoiceRow[]) => string;

/** Names the cheapest server that meets the p99; without a p99 the order of the table shows it. */
function cheapestText({ p99Ns, rows, byCores, byMemory }: Choice, namesOf: NamesOf): string | null {
  if (p99Ns === null) return null;
  const what = `a p99 of ${limit(p99Ns)}`;
  const [fewest] = byCores;
  const dearer = fewest === undefined ? rows.length : rows.indexOf(fewest);
  const undecided = rows.slice(0, dearer).filter(({ verdict }) => verdict === "can't tell");
  const but = undecided.length === 0 ? '' : `; can't tell for ${namesOf(undecided)}`;
  if (fewest === undefined) {
    return rows.some(carries)
      ? `CPU does not tell which is the cheapest that meets ${what}.`
      : `No server is shown to meet ${what}${but}.`;
  }
  const memory = byMemory.length === 1 ? 'the least memory of these' : 'the least memory too';
  const why =
    byCores.length === 1
      ? 'fewest cores'
      : `${namesOf(byCores)} tie for the fewest cores, ${namesOf(byMemory)} for ${memory}`;
  const less = but && `${but}, with less CPU`;
  return `Cheapest that meets ${what}: ${namesOf(byMemory)} (${why})${less}.`;
}

function carriedText({ p99Ns, rows, loads, byCores, byMemory }: Choice, namesOf: NamesOf) {
  const what = p99Ns === null ? 'keep up' : `meet a p99 of ${limit(p99Ns)}`;
  const carrying = rows.filter(carries);
  if (carrying.length === 0) return [`No server is shown to ${what} at any measured rate.`];
  const beyond = carrying.filter(({ load }) => load === loads.at(-1));
  const most = (unit: string, best: readonly ChoiceRow[]) => {
    const tie = best.length > 1 ? ' (tied)' : '';
    return best.length === 0 ? null : `Most requests/s per ${unit}: ${namesOf(best)}${tie}.`;
  };
  return [
    `Each row is at the highest measured rate up to which the server is shown to ${what}.`,
    beyond.length === 0 ? null : `No higher rate was measured for ${namesOf(beyond)}.`,
    most('core', byCores),
    most('GB', byMemory),
  ];
}
