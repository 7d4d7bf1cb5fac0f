import { ENOUGH_FOR_P99 } from '../../figures/latency.ts';
import type { Level, LevelRow } from '../../summary/levels.ts';
import type { ColumnName, DeclaredTable, Workload } from '../../workload/declaration.ts';
import type { Section } from '../document.ts';
import { count, latencyTime, number, percent, plusMinus } from '../format.ts';
import { loadName, rowNames, topologyWords } from '../names.ts';
import { cellSection } from '../section.ts';
import { amount, type Column } from '../tabulate.ts';
import { columnsOfCells, serviceColumns, servicesIn, throughputText } from './columns.ts';

type LevelTable = Extract<DeclaredTable, { table: 'levels' }>;

const cellOf = ({ summary }: LevelRow) => summary;
const { leading, figure, latency, memory } = columnsOfCells(cellOf);

/** Every server in every topology under a load, with the columns that the workload declares. */
export function levelSection(
  { load, rows }: Level,
  { columns, note }: LevelTable,
  { unit, checked }: Pick<Workload, 'unit' | 'checked'>,
): Section {
  const [only, ...others] = new Set(rows.map(({ topology }) => topology));
  const targets = rows.map(({ summary }) => summary.target);
  const where = only && others.length === 0 ? `${topologyWords(only, targets)}, ` : '';
  const named = rows.map((row) => ({ ...row, target: row.summary.target }));
  return cellSection(`${unit.many} ${where}${loadName(load)}`, cellOf, {
    name: ['target', rowNames(named)],
    columns: columns.flatMap((column): Column<LevelRow>[] => {
      return typeof column === 'string'
        ? columnsNamed(column, rows, unit)
        : [checkedColumn(column.checked, checked)];
    }),
    rows: named,
    text: note === undefined ? [] : [note],
  });
}

const CPU_SCALES: Record<Workload['unit']['cpu'], number> = { µs: 1e3, ms: 1e6 };

function columnsNamed(
  column: ColumnName,
  rows: readonly LevelRow[],
  { one, many, cpu }: Workload['unit'],
): Column<LevelRow>[] {
  const groups = { cpu: 'rate', memory: 'memory' };
  const services = serviceColumns(rows, ({ summary }) => servicesIn(summary), groups);
  switch (column) {
    case 'throughput':
      return [leading('rate', `${many}/s`, throughputText)];
    case 'cpu': {
      const head = `${services.cpu.length > 0 ? 'server' : 'CPU'}\n${cpu}/${one}`;
      return [figure('rate', head, (figures) => plusMinus(figures.cpuPerRequest, CPU_SCALES[cpu]))];
    }
    case 'services':
      return services.cpu;
    case 'busy':
      return [figure('rate', 'busy', (_, { busy }) => percent(busy))];
    case 'answered':
      return [
        leading('rate', 'answered\nin time', (_, { answered: { ok, of } }) => {
          return `${count(ok)} of ${count(of)}`;
        }),
      ];
    case 'p99':
      return rows.some(isEnoughForP99) ? [P99] : [];
    case 'peak memory':
      return [figure('memory', 'peak\nMB', ({ peakMemory }) => plusMinus(peakMemory, 1e6))];
    case 'PSS':
    case 'memory':
    case 'memory at start':
      return [memory('memory', 'PSS\nMB', 'server')];
    default:
      return [latency(column)];
  }
}

const P99 = figure('latency', 'p99\nms', ({ latency: times }, row) => {
  return times && isEnoughForP99(row) ? latencyTime(times.p99) : null;
});

function isEnoughForP99({ answered }: LevelRow): boolean {
  return answered.ok >= ENOUGH_FOR_P99;
}

function checkedColumn(name: string, declared: Workload['checked']): Column<LevelRow> {
  const { head = name, per = 1 } = declared[name] ?? {};
  return amount('checked', head.replace(' ', '\n'), ({ checked }) => {
    const value = checked[name];
    return value === undefined ? null : number(value / per);
  });
}
