import type { Latency } from '../../figures/latency.ts';
import type { Level, LevelRow } from '../../summary/levels.ts';
import type { ColumnName, DeclaredTable, Workload } from '../../workload/declaration.ts';
import type { Section } from '../document.ts';
import { count, latencyTime, memoryText, NONE, number, percent, plusMinus } from '../format.ts';
import { loadName, rowName, topologyWords } from '../names.ts';
import { Notes } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { serviceColumns } from './service-columns.ts';

type LevelTable = Extract<DeclaredTable, { table: 'levels' }>;

/** Every server in every topology under a load, with the columns that a workload asks for. */
export function levelSection(
  { load, rows }: Level,
  { columns, note }: LevelTable,
  { unit, checked }: Pick<Workload, 'unit' | 'checked'>,
): Section {
  const topologies = [...new Set(rows.map(({ topology }) => topology))];
  const [only] = topologies.length === 1 ? topologies : [];
  const targets = rows.map(({ summary }) => summary.target);
  const where = only === undefined ? '' : `${topologyWords(only, targets)}, `;
  const heading = `${unit.many} ${where}${loadName(load)}`;
  if (isUnreached(rows.map(({ summary }) => summary))) return unreachedSection(heading);
  const nameOf = ({ summary, topology }: LevelRow) => {
    return only === undefined ? rowName(summary.target, topology) : summary.target.label;
  };
  const notes = new Notes(rows.map((row) => ({ label: nameOf(row), flags: row.summary.flags })));
  const all = [
    ...columns.flatMap((column): Column<LevelRow>[] => {
      return typeof column === 'string'
        ? columnsNamed(column, rows, unit)
        : [checkedColumn(column.checked, checked)];
    }),
    ...notes.column<LevelRow>('', ({ summary }) => summary.flags),
  ];
  const table = tableOf({ head: 'target', cell: nameOf }, all, rows);
  const text = note === undefined ? [] : [paragraph(note)];
  return section(heading, [table, ...notes.blocks(), ...text], notes.codes);
}

const { leading, figure, latency } = columnsOfCells<LevelRow>(({ summary }) => summary);

/** From so many answers on a hundredth of them is more than chance. */
const ENOUGH_FOR_P99 = 1000;
const CPU_SCALES: Record<Workload['unit']['cpu'], number> = { µs: 1e3, ms: 1e6 };

function columnsNamed(
  column: ColumnName,
  rows: readonly LevelRow[],
  { one, many, cpu }: Workload['unit'],
): Column<LevelRow>[] {
  const services = serviceColumns(rows, servicesOf, { cpu: 'rate', memory: 'memory' });
  const quantile = (which: keyof Pick<Latency, 'mean' | 'p50' | 'p75' | 'p95' | 'max'>) => {
    return [latency(`${which}\nms`, (times) => latencyTime(times[which]))];
  };
  switch (column) {
    case 'throughput':
      return [leading('rate', `${many}/s`, ({ throughput }) => plusMinus(throughput))];
    case 'cpu': {
      const head = `${services.cpu.length > 0 ? 'server' : 'CPU'}\n${cpu}/${one}`;
      return [
        figure('rate', head, ({ cpuPerRequest }) => plusMinus(cpuPerRequest, CPU_SCALES[cpu])),
      ];
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
      return rows.some(({ answered }) => answered.ok >= ENOUGH_FOR_P99)
        ? [
            figure('latency', 'p99\nms', ({ latency: times }, { answered }) => {
              return times && answered.ok >= ENOUGH_FOR_P99 ? latencyTime(times.p99) : NONE;
            }),
          ]
        : [];
    case 'mean':
    case 'p50':
    case 'p75':
    case 'p95':
    case 'max':
      return quantile(column);
    case 'peak memory':
      return [figure('memory', 'peak\nMB', ({ peakMemory }) => plusMinus(peakMemory, 1e6))];
    case 'PSS':
    case 'memory':
    case 'memory at start':
      return [figure('memory', 'PSS\nMB', ({ memory }) => memoryText(memory.server))];
  }
}

function checkedColumn(name: string, declared: Workload['checked']): Column<LevelRow> {
  const { head = name, per = 1 } = declared[name] ?? {};
  return {
    group: 'checked',
    head: head.replace(' ', '\n'),
    cell: ({ checked }) => {
      const value = checked[name];
      return value === undefined ? NONE : number(value / per);
    },
  };
}

function servicesOf({ summary: { outcome } }: LevelRow) {
  return outcome.state === 'measured' ? outcome.services : null;
}
