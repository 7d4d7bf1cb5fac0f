import type { ClockDifference } from '../load/clock-offset.ts';
import type { SharingRow, Sides } from '../summary/network.ts';
import type { Section } from './document.ts';
import { changeText, number, plusMinus } from './format.ts';
import { loadName, rowName } from './names.ts';
import { paragraph, section } from './section.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** A run on one machine beside the same on two: what it costs to have generator and servers on the same machine. */
export function oneMachineSection(rows: readonly SharingRow[]): Section {
  const name = ({ summary, condition }: SharingRow) => rowName(summary.target, condition.topology);
  return section('One machine beside two', [
    tableOf(['target', name], COLUMNS, rows),
    paragraph(READING),
  ]);
}

const COLUMNS: Column<SharingRow>[] = [
  words('', 'load', ({ condition }) => loadName(condition.load)),
  ...columnsOf('µs/request', ({ cpu }) => cpu, 1000),
  ...columnsOf('requests/s', ({ throughput }) => throughput),
  ...columnsOf('mean ms', ({ latency }) => latency, 1e6),
];

function columnsOf(unit: string, of: (row: SharingRow) => Sides, scale = 1): Column<SharingRow>[] {
  return [
    amount(unit, `${unit}\non two`, (row) => plusMinus(of(row).two, scale)),
    amount(unit, `${unit}\non one`, (row) => plusMinus(of(row).one, scale)),
    amount(unit, 'more\non one', (row) => changeText(of(row).change)),
  ];
}

const READING =
  'The servers and their machine are the same in both; on one machine the generator runs there too. The two were ' +
  'measured one after the other, so changes of the machine in between are in the differences.';

/** How another machine's clock differs; no figure depends on it. */
export function clockText(
  host: string,
  { aheadMs, errorMs, driftMsPerH }: ClockDifference,
): string {
  const direction = aheadMs >= 0 ? 'ahead' : 'behind';
  const difference = `The clock of ${host} is ${number(Math.abs(aheadMs))} ms ${direction}, ±${number(errorMs)} ms`;
  if (driftMsPerH === null) return `${difference}, with no measurable drift.`;
  const verb = driftMsPerH >= 0 ? 'gains' : 'loses';
  return `${difference}, and ${verb} ${number(Math.abs(driftMsPerH))} ms an hour.`;
}
