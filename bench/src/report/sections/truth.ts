import type { CostFinding, Finding, TruthFindings } from '../../studies/truth/findings.ts';
import type { Section, Text } from '../document.ts';
import { microseconds, number, percent, plural, plusMinus, ratioRange } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { amount, type Column, tableOf, words } from '../tabulate.ts';

/** A thing that is known, beside what was measured of it. */
interface Row {
  what: string;
  known: string | null;
  measured: string | null;
  off: string | null;
  finding: Finding;
  /** Launches that would tell, where these can't. */
  takes: number | null;
}

const COLUMNS: Column<Row>[] = [
  amount('', 'known', ({ known }) => known),
  amount('', 'measured', ({ measured }) => measured),
  amount('', 'off by', ({ off }) => off),
  words('', '', ({ finding }) => findingText(finding)),
];

/** Whether something known was found, so that it is seen where it was not. */
export function findingText(finding: Finding): Text {
  return finding === 'found' ? finding : { text: finding, emphasis: 'warn' };
}

/** What is known, what was measured, and whether the truth was found. */
export function truthSection(findings: TruthFindings): Section {
  const rows = rowsOf(findings);
  return section('Known beside measured', [
    tableOf(['the truth', ({ what }) => what], COLUMNS, rows),
    paragraph(truthSentence(findings, rows)),
  ]);
}

function rowsOf({ costs, twins, size }: TruthFindings): Row[] {
  return [
    ...costs.map(costRow),
    {
      what: 'twins, CPU/request, ratio',
      known: '1.00',
      measured: ratioRange(twins.ratio),
      off: twins.ratio.kind === 'none' ? null : percent(Math.abs(twins.ratio.value - 1)),
      finding: twins.finding,
      takes: twins.takes,
    },
    {
      what: 'bytes of an answer',
      known: number(size.known),
      measured: size.measured === null ? null : number(size.measured),
      off: size.measured === null ? null : number(Math.abs(size.measured - size.known)),
      finding: size.finding,
      takes: null,
    },
  ];
}

function costRow({ label, known, measured, missNs, finding, takes }: CostFinding): Row {
  return {
    what: `${label}, CPU µs/request`,
    known: Number.isFinite(known.low)
      ? `${microseconds(known.low)} to ${microseconds(known.high)}`
      : null,
    measured: plusMinus(measured, 1000),
    off: Number.isFinite(missNs) ? microseconds(missNs) : null,
    finding,
    takes,
  };
}

function truthSentence({ found }: TruthFindings, rows: Row[]): string {
  const missed = rows.filter(({ finding }) => finding === 'missed').map(({ what }) => what);
  const open = rows.filter(({ finding }) => finding === "can't tell").map(openText);
  const outcome = [
    ...(found ? ['The harness finds what is known.'] : []),
    ...(missed.length > 0 ? [`The harness missed: ${missed.join('; ')}.`] : []),
    ...(open.length > 0 ? [`It can't tell: ${open.join('; ')}.`] : []),
  ];
  return (
    `${outcome.join(' ')} A cost is known from clocks in the server itself: at least the median of what the ` +
    'work took, at most the mean, in which every interruption counts, and what the garbage collector took ' +
    'more than without it. It is found when the interval, which holds for all costs of its kind at once, reaches ' +
    'what is known to 0.1 µs, and the value is off by no more than 0.3 µs or 10 %; the twins, when they are ' +
    'the same within ±2 % and off by no more than 1 %; the size, when it is met exactly.'
  );
}

/** What it can't tell, and what it would take. */
function openText({ what, takes }: Row): string {
  return takes === null
    ? what
    : `${what}, which would take about ${plural(takes, 'launch', 'launches')}`;
}
