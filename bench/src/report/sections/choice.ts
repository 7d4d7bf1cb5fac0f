import { type Choice, type ChoiceRow, carries } from '../../summary/choice.ts';
import type { Section } from '../document.ts';
import { limit, list, perSecond, plusMinus } from '../format.ts';
import { loadName, rowNames } from '../names.ts';
import { cellSection } from '../section.ts';
import { amount, type Column, words } from '../tabulate.ts';

/** What each server needs at a rate, or carries of several, and which of them is the cheapest. */
export function choiceSection(choice: Choice): Section {
  const { rows, loads, p99Ns } = choice;
  const nameOf = rowNames(rows);
  const [only, ...others] = loads;
  const isCurve = others.length > 0;
  const heading = isCurve || !only ? 'what a core and a GB carry' : loadName(only);
  return cellSection(`Which one: ${heading}`, ({ summary }: ChoiceRow) => summary, {
    name: ['target', nameOf],
    columns: isCurve ? CARRIED : [...NEEDED, ...(p99Ns === null ? [] : [verdictColumn(p99Ns)])],
    rows,
    text: [
      ...(isCurve ? carriedText(choice, nameOf) : cheapestText(choice, nameOf)),
      ...(p99Ns === null ? ['With --p99 50ms it says who answers within that.'] : []),
      READING,
    ],
  });
}

const READING =
  'CPU is all CPU time over time, idle use too; CPU and memory are of the server and its manager, without ' +
  'services. p99 is the mean of the launches.';

const P99 = amount<ChoiceRow>('', 'p99\nms', ({ p99, isBound }) => {
  return isBound && p99.kind !== 'none' ? `> ${limit(p99.value)}` : plusMinus(p99, 1e6);
});

const NEEDED: Column<ChoiceRow>[] = [
  amount('', 'CPU, %\nof a core', ({ cores, summary: { outcome } }) => {
    return outcome.state === 'measured' ? plusMinus(cores, 0.01) : outcome.state;
  }),
  amount('', 'memory\nMB', ({ bytes }) => plusMinus(bytes, 1e6)),
  amount('', 'processes', ({ processes }) => processes?.toString()),
  P99,
];

const CARRIED: Column<ChoiceRow>[] = [
  amount('', 'carries\nrequests/s', (row) => {
    return carries(row) ? perSecond(row.load.ratePerS) : (row.verdict ?? row.summary.outcome.state);
  }),
  ...[P99, perUnit('core', 'perCore', 1), perUnit('GB', 'perByte', 1e-9)].map(
    (column): Column<ChoiceRow> => {
      return { ...column, cell: (row) => (carries(row) ? column.cell(row) : null) };
    },
  ),
];

function perUnit(unit: string, of: 'perCore' | 'perByte', scale: number): Column<ChoiceRow> {
  return amount('', `requests/s\nper ${unit}`, (row) => plusMinus(row[of], scale));
}

function verdictColumn(p99Ns: number): Column<ChoiceRow> {
  return words('', `p99 within\n${limit(p99Ns)}`, ({ verdict }) => verdict);
}

type NameOf = (row: ChoiceRow) => string;

/** Which is the cheapest of those that do what is asked; without a p99 the order of the table says it. */
function cheapestText(choice: Choice, nameOf: NameOf): string[] {
  const { p99Ns, rows, byCores, byMemory } = choice;
  if (p99Ns === null) return [];
  const within = `a p99 of ${limit(p99Ns)}`;
  const untoldOf = (some: ChoiceRow[]) => {
    return some.filter(({ verdict }) => verdict === "can't tell").map(nameOf);
  };
  const [fewest] = byCores;
  const [best] = byMemory;
  if (fewest !== undefined && best !== undefined) {
    const cheaper = untoldOf(rows.slice(0, rows.indexOf(fewest)));
    return [
      `The cheapest that meets ${within} is ${nameOf(best)}${whyBest(choice, nameOf)}.`,
      ...(cheaper.length === 0 ? [] : [`Of ${list(cheaper)}, with less CPU, it can't be told.`]),
    ];
  }
  if (rows.some(carries))
    return [`Which is the cheapest that meets ${within} can't be told by CPU.`];
  const untold = untoldOf(rows);
  const those = untold.length === rows.length ? 'any' : list(untold);
  return [
    `None is shown to meet ${within}${untold.length === 0 ? '' : `; of ${those} it can't be told`}.`,
  ];
}

function whyBest({ byCores, byMemory }: Choice, nameOf: NameOf): string {
  if (byCores.length === 1) return ': of those it uses the fewest cores';
  const equals = `${list(byCores.map(nameOf))} use the fewest cores and can't be told apart by them`;
  if (byMemory.length === 1) return `: ${equals}; it has the least memory of these`;
  return `, as far as can be told: ${equals}, and ${list(byMemory.map(nameOf))} not by memory either`;
}

function carriedText({ p99Ns, rows, loads, ...best }: Choice, nameOf: NameOf): string[] {
  const what = p99Ns === null ? 'keeps up' : `meets a p99 of ${limit(p99Ns)}`;
  const carrying = rows.filter(carries);
  if (carrying.length === 0) return [`At no measured rate is it shown of any that it ${what}.`];
  const beyond = carrying.filter(({ load }) => load === loads.at(-1)).map(nameOf);
  const most = (unit: string, [first, ...equals]: ChoiceRow[]) => {
    if (first === undefined) return [];
    const others = equals.length === 0 ? '' : `; ${list(equals.map(nameOf))} can't be told from it`;
    return [`${unit} carries the most with ${nameOf(first)}${others}.`];
  };
  return [
    `Each is at the highest measured rate up to which it ${what}.`,
    ...(beyond.length === 0 ? [] : [`No higher rate was measured of ${list(beyond)}.`]),
    ...most('A core', best.byCores),
    ...most('A GB', best.byMemory),
  ];
}
