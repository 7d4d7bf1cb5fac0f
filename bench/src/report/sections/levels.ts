import { isEnoughForP99 } from '../../figures/latency.ts';
import { SINGLE_REQUEST_SHARE } from '../../plan/loads.ts';
import type { Level, LevelRow, MainRow, MainTable } from '../../summary/levels.ts';
import type { ColumnName, DeclaredTable, Workload } from '../../workload/declaration.ts';
import { amount, type Column, type Section } from '../document.ts';
import { count, number, percent, plusMinus } from '../format.ts';
import { conditionName, loadName, topologyWords } from '../names.ts';
import { cellSection } from '../section.ts';
import {
  comparisonColumns,
  figure,
  latency,
  leading,
  memory,
  ownerName,
  serviceColumns,
  throughput,
} from './columns.ts';

type LevelTable = Extract<DeclaredTable, { table: 'levels' }>;

/** Every server in every topology under a load, with the columns that the workload declares. */
export function levelSection(
  { load, rows }: Level,
  { columns, note }: LevelTable,
  { unit, checked }: Pick<Workload, 'unit' | 'checked'>,
): Section {
  const [only, ...others] = new Set(rows.map(({ topology }) => topology));
  const where = only && others.length === 0 ? `${topologyWords(only, rows)}, ` : '';
  const named = namedColumns(rows, unit);
  return cellSection(`${unit.many} ${where}${loadName(load)}`, {
    columns: columns.flatMap((column) => {
      return typeof column === 'string' ? named[column] : checkedColumn(column.checked, checked);
    }),
    rows,
    text: [note ?? null],
  });
}

function namedColumns(
  rows: readonly LevelRow[],
  { one, many, cpu }: Workload['unit'],
): Record<ColumnName, Column<LevelRow>[]> {
  const services = serviceColumns(rows, 'memory');
  const hasP99 = ({ answered }: LevelRow) => isEnoughForP99(answered.ok);
  const p99 = latency('p99');
  const inTime = ({ answered: { ok, of } }: LevelRow) => `${count(ok)} of ${count(of)}`;
  const cpuHead = `${services.cpu.length > 0 ? 'server' : 'CPU'}\n${cpu}/${one}`;
  const cpuScale = cpu === 'ms' ? 1e6 : 1000;
  const pss = [memory('memory', 'PSS\nMB', 'server')];
  return {
    throughput: [leading(throughput('rate', `${many}/s`))],
    cpu: [figure('rate', cpuHead, ({ cpuPerRequest }) => plusMinus(cpuPerRequest, cpuScale))],
    services: services.cpu,
    busy: [figure('rate', 'busy', (_, { busy }) => percent(busy))],
    answered: [leading(amount('rate', 'answered\nin time', inTime))],
    mean: [latency('mean')],
    min: [latency('min')],
    p50: [latency('p50')],
    p75: [latency('p75')],
    p95: [latency('p95')],
    p99: rows.some(hasP99) ? [{ ...p99, cell: (row) => (hasP99(row) ? p99.cell(row) : null) }] : [],
    max: [latency('max')],
    'peak memory': [figure('memory', 'peak\nMB', ({ peakMemory }) => plusMinus(peakMemory, 1e6))],
    PSS: pss,
    memory: pss,
    'memory at start': pss,
  };
}

function checkedColumn(name: string, declared: Workload['checked']): Column<LevelRow> {
  const { head = name, per = 1 } = declared[name] ?? {};
  return amount('checked', head.replace(' ', '\n'), ({ checked }) => {
    const value = checked[name];
    return value === undefined ? null : number(value / per);
  });
}

/** CPU time per request of each server and its services, compared with one server. */
export function mainSection(table: MainTable): Section {
  const { rows, roles, condition } = table;
  return cellSection(`CPU per request, ${conditionName(condition)}`, {
    columns: mainColumns(table),
    rows,
    flagsOf: ({ flags, beside }) => [...flags, ...(beside?.flags ?? [])],
    text: [
      busyText(table),
      roles.length > 1 ? 'Together is the server with all services that it needs.' : null,
    ],
  });
}

function mainColumns({ roles, base }: MainTable): Column<MainRow>[] {
  // The ratio of the services alone is of no use.
  const compared = roles.filter((role) => role === 'server' || role === 'total');
  return [
    ...roles.map((role, place) => {
      const head = `${ownerName(role)}\nµs/request`;
      const column = amount<MainRow>('cpu', head, ({ cpu }) => plusMinus(cpu[place], 1000));
      return place === 0 ? leading(column) : column;
    }),
    ...compared.flatMap((role) => {
      const { times, verdict } = comparisonColumns<MainRow>('times', ({ beside }) => {
        return beside?.costs.find(({ name }) => name === role)?.comparison;
      });
      return [times(`${ownerName(role)}, times\n${base.label}`), verdict()];
    }),
    latency('p50'),
    latency('p99'),
    figure<MainRow>('latency', 'busy', (_, { busy }) => percent(busy)),
  ];
}

function busyText({ busiest: { target, busy }, condition: { cells } }: MainTable): string {
  const [most, limit] = [percent(busy), percent(SINGLE_REQUEST_SHARE)];
  return busy < SINGLE_REQUEST_SHARE
    ? `All ${cells.length} servers at this rate were busy for less than ${limit} of the time, ${target.label} the most (${most}): ` +
        'nearly every request came alone.'
    : `${target.label} was busy for ${most} of the time, not less than ${limit}: some of its requests did not come alone, and ` +
        'cost less for it.';
}
