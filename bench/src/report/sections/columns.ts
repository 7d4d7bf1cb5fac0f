/** Columns that several tables share. */
import type { Figures } from '../../figures/figures.ts';
import type { TimeName } from '../../figures/latency.ts';
import type { Role, ServiceFigures } from '../../figures/services.ts';
import type { Comparison } from '../../math/verdicts.ts';
import type { Topology } from '../../plan/topology.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../../services/index.ts';
import type { CpuConsumer } from '../../summary/charts.ts';
import type { CellSummary } from '../../summary/summary.ts';
import type { Target } from '../../targets/targets.ts';
import { amount, type Cell, type Column, type Naming, words } from '../document.ts';
import { latencyTime, megabytes, plusMinus, ratioRange, signedPlusMinus } from '../format.ts';
import { rowName } from '../names.ts';

export const TARGET: Naming<{ target: Target }> = ['target', ({ target }) => target.label];

/** For tables of several topologies. */
export const PLACE: Naming<{ target: Target; topology: Topology }> = [
  'target',
  ({ target, topology }) => rowName(target, topology),
];

export const CPU_HEAD = 'CPU\nµs/request';

/** CPU time per request, in µs. */
export function cpuText({ cpuPerRequest }: Pick<Figures, 'cpuPerRequest'>): string {
  return plusMinus(cpuPerRequest, 1000);
}

/** A figure of a cell; a dash where it was not measured. */
export function figure<Row extends CellSummary>(
  group: string,
  head: string,
  of: (figures: Figures, row: Row) => Cell,
): Column<Row> {
  return amount(group, head, (row) => row.figures && of(row.figures, row));
}

/** The first figure of a row: `failed` or `not reached` where the cell was not measured. */
export function leading<Row extends CellSummary>({ cell, ...column }: Column<Row>): Column<Row> {
  return { ...column, cell: (row) => (row.figures ? cell(row) : row.state) };
}

export function throughput(group: string, head = 'requests/s') {
  return figure(group, head, (figures) => plusMinus(figures.throughput));
}

export function cpu(group: string) {
  return figure(group, CPU_HEAD, cpuText);
}

/** A latency in ms. */
export function latency(name: TimeName, head = `${name}\nms`): Column<CellSummary> {
  return figure('latency', head, (figures) => latencyTime(figures.latency?.[name]));
}

/** Memory in MB; a dash where there is none. */
export function memory(group: string, head: string, whose: 'server' | 'manager') {
  return figure(group, head, (figures) => megabytes(figures.memory[whose] || null));
}

/** Makes columns of comparisons for rows of which some have one. */
export function comparisonColumns<Row>(
  group: string,
  of: (row: Row) => Comparison | null | undefined,
) {
  return {
    /** The difference, in µs. */
    more: (head: string) => {
      return amount<Row>(group, head, (row) => signedPlusMinus(of(row)?.difference, 1000));
    },
    times: (head: string) => amount<Row>(group, head, (row) => ratioRange(of(row)?.ratio)),
    verdict: () => words<Row>(group, 'verdict', (row) => of(row)?.verdict),
  };
}

/** Whose CPU time it is, in words. */
export function ownerName(owner: Role | CpuConsumer): string {
  if (owner === 'total') return 'together';
  const service = SERVICE_NAMES.find((name) => name === owner);
  return service === undefined ? owner : SERVICES[service].label;
}

/** The services that any row has, each with a function that finds its entry in a row. */
export function servicesOf<Row, Own extends { name: ServiceName }>(
  rows: readonly Row[],
  eachOf: (row: Row) => readonly Own[],
) {
  return SERVICE_NAMES.map((service) => ({
    label: ownerName(service),
    of: (row: Row) => eachOf(row).find(({ name }) => name === service),
  })).filter(({ of }) => rows.some((row) => of(row) !== undefined));
}

/** Columns of CPU time and memory for each service and for server and services together; none without services. */
export function serviceColumns<Row extends CellSummary>(rows: readonly Row[], memoryGroup: string) {
  type Taken = ServiceFigures['total'];
  const named = servicesOf(rows, ({ services }) => services?.each ?? []);
  const together = { label: ownerName('total'), of: ({ services }: Row) => services?.total };
  const all = named.length === 0 ? [] : [...named, together];
  const columns = (group: string, unit: string, text: (taken: Taken) => string) => {
    return all.map(({ label, of }) => {
      return amount<Row>(group, `${label}\n${unit}`, (row) => {
        const taken = of(row);
        return taken && text(taken);
      });
    });
  };
  return {
    cpu: columns('rate', 'µs/request', cpuText),
    memory: columns(memoryGroup, 'MB', ({ bytes }) => megabytes(bytes)),
  };
}
