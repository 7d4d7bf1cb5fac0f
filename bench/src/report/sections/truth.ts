import type { CostFinding, TruthFindings } from '../../studies/truth/findings.ts';
import type { Section } from '../document.ts';
import { microseconds, NONE, number, percent, plusMinus, ratioRange } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

/** A thing that is known, beside what was measured of it. */
interface Row {
  what: string;
  known: string;
  measured: string;
  off: string;
  found: boolean;
}

const COLUMNS: Column<Row>[] = [
  { group: '', head: 'known', cell: ({ known }) => known },
  { group: '', head: 'measured', cell: ({ measured }) => measured },
  { group: '', head: 'off by', cell: ({ off }) => off },
  {
    group: '',
    head: '',
    text: true,
    cell: ({ found }) => (found ? 'found' : { text: 'missed', emphasis: 'warn' }),
  },
];

/** What is known, what was measured, and whether the truth was found. */
export function truthSection(findings: TruthFindings): Section {
  const rows = rowsOf(findings);
  return section('Known beside measured', [
    tableOf({ head: 'the truth', cell: ({ what }) => what }, COLUMNS, rows),
    paragraph(truthSentence(findings, rows)),
  ]);
}

function rowsOf({ costs, twins, size }: TruthFindings): Row[] {
  return [
    ...costs.map(costRow),
    {
      what: 'twins, CPU/request, ratio',
      known: '1.00',
      measured: `${ratioRange(twins.ratio)} ${twins.verdict}`,
      off: twins.ratio.kind === 'none' ? NONE : percent(Math.abs(twins.ratio.value - 1)),
      found: twins.found,
    },
    {
      what: 'bytes of an answer',
      known: number(size.known),
      measured: size.measured === null ? NONE : number(size.measured),
      off: size.measured === null ? NONE : number(Math.abs(size.measured - size.known)),
      found: size.found,
    },
  ];
}

function costRow({ label, known, measured, missNs, found }: CostFinding): Row {
  return {
    what: `${label} more, CPU µs/request`,
    known: Number.isFinite(known.low)
      ? `${microseconds(known.low)} to ${microseconds(known.high)}`
      : NONE,
    measured: plusMinus(measured, 1000),
    off: Number.isFinite(missNs) ? microseconds(missNs) : NONE,
    found,
  };
}

function truthSentence({ found }: TruthFindings, rows: Row[]): string {
  const missed = rows.filter((row) => !row.found).map(({ what }) => what);
  const outcome = found
    ? 'The harness finds what is known.'
    : `The harness missed: ${missed.join('; ')}.`;
  return (
    `${outcome} A cost is known from a clock around the work, in servers of their own: at least the ` +
    'median of what it says, at most the mean, in which every interruption counts. It is found when ' +
    'the interval, which holds for all three costs at once, reaches what is known to 0.1 µs, and the ' +
    'value is off by no more than 0.3 µs or 10 %; the twins, when they are the same within ±2 % and off by no ' +
    'more than 1 %; the size, when it is met exactly.'
  );
}
