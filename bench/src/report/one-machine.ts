import type { SharingRow, Sides } from '../summary/one-machine.ts';
import type { Section } from './document.ts';
import { changeText, plusMinus } from './format.ts';
import { loadName, rowName } from './names.ts';
import { paragraph, section } from './section.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** One machine beside two: what it costs to have the generator on that of the servers. */
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
  'Both are the same servers on the same machine; with one, the generator is on it too. They were measured one after ' +
  'the other, so that a machine that has changed in between shows as well.';
