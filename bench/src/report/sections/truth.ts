import type { Finding, TruthFindings } from '../../studies/truth/findings.ts';
import { PART_TOLERANCE, type PartFinding } from '../../studies/truth/where.ts';
import { amount, type Cell, type Column, type Section, tableOf, words } from '../document.ts';
import { asked, microseconds, number, percent, plural, plusMinus, ratioRange } from '../format.ts';
import { capitalized } from '../names.ts';
import { section } from '../section.ts';
import { partName } from './where.ts';

interface Row {
  what: string;
  known: Cell;
  measured: Cell;
  off: Cell;
  finding: Finding;
  /** How many launches would decide it; null where it is decided, or nobody knows. */
  takes: number | null;
}

const COLUMNS: Column<Row>[] = [
  amount('', 'known', ({ known }) => known),
  amount('', 'measured', ({ measured }) => measured),
  amount('', 'off by', ({ off }) => off),
  words('', '', ({ finding }) => {
    return finding === 'found' ? finding : { text: finding, emphasis: 'warn' };
  }),
];

/** Known and measured values, and whether each was found. */
export function truthSection(findings: TruthFindings): Section {
  const rows = rowsOf(findings);
  const table = tableOf(['the truth', ({ what }) => what], COLUMNS, rows);
  return section('Known versus measured', [table, `${outcomeText(rows)} ${READING}`]);
}

function rowsOf({ costs, twins, size: { known, measured, finding } }: TruthFindings): Row[] {
  return [
    ...costs.map(({ label, known: { low, high }, measured, missNs, ...outcome }) => ({
      ...outcome,
      what: `${label}, CPU µs/request`,
      known: rangeText(low, high),
      measured: plusMinus(measured, 1000),
      off: Number.isFinite(missNs) ? microseconds(missNs) : null,
    })),
    {
      ...twins,
      what: 'twins, CPU/request, ratio',
      known: '1.00',
      measured: ratioRange(twins.ratio),
      off: twins.ratio.kind === 'none' ? null : percent(Math.abs(twins.ratio.value - 1)),
    },
    {
      finding,
      takes: null,
      what: 'bytes of an answer',
      known: number(known),
      measured: measured === null ? null : number(measured),
      off: measured === null ? null : number(Math.abs(measured - known)),
    },
  ];
}

/** A range of times in µs; null where it is not known. */
function rangeText(low: number, high: number): string | null {
  if (!Number.isFinite(low)) return null;
  return low === high ? microseconds(low) : `${microseconds(low)} to ${microseconds(high)}`;
}

function outcomeText(rows: readonly Row[]): string {
  const parts = ['missed', "can't tell"].flatMap((wanted) => {
    const those = rows.filter(({ finding }) => finding === wanted);
    const names = those.map(({ what, takes }) => {
      return takes === null ? what : `${what} (about ${plural(takes, 'launch')} would)`;
    });
    return names.length === 0 ? [] : [`${capitalized(wanted)}: ${names.join('; ')}.`];
  });
  return parts.length === 0 ? 'Everything that is known was found.' : parts.join(' ');
}

const READING =
  'Costs are known from clocks in the server itself: at least the median time of the work; at most the mean, which every ' +
  'interruption adds to, plus the extra time of the garbage collector. A cost is found when its interval, which holds for all ' +
  'costs of its kind at once, comes within 0.1 µs of what is known, and its value is off by no more than 0.3 µs or 10 %; ' +
  'the twins, when they are the same within ±2 % and off by no more than 1 %; the size, when it is exact.';

/** Whether profiles attribute known costs to their owners. */
export function truthWhereSection(findings: readonly PartFinding[]): Section {
  const rows = findings.map(({ known, clockNs: { low, high }, measured, off, finding }) => ({
    what: `${known.label}, CPU µs/request`,
    owner: partName(known.part),
    known: rangeText(low, high),
    measured: plusMinus(measured, 1000),
    off: Number.isFinite(off) ? percent(off) : null,
    finding,
    takes: null,
  }));
  const owner = words<(typeof rows)[number]>('', 'owner', (row) => row.owner);
  return section('Known costs versus profiles', [
    tableOf(['the truth', ({ what }) => what], [owner, ...COLUMNS], rows),
    `${outcomeText(rows)} Each server does something more than the one that it is compared with, and knows from its own ` +
      'clocks how long that takes while nobody samples: the median to the mean of the work, or the extra time of the ' +
      `garbage collector. It is found when its owner is charged that within ±${asked(PART_TOLERANCE)}.`,
  ]);
}
