import type { ServiceFigures } from '../../figures/services.ts';
import { SERVICE_NAMES, SERVICES } from '../../services/index.ts';
import { megabytes, plusMinus } from '../format.ts';
import { amount, type Column } from '../tabulate.ts';

/** Columns about services, for a table in which some row has some. */
export interface ServiceColumns<Row> {
  /** What each takes for a request, and the server with all of them. */
  cpu: Column<Row>[];
  /** The memory of each, and the server's with all of them. */
  memory: Column<Row>[];
}

type Taken = ServiceFigures['total'];

/** Columns of what services took for rows, of which some may have none. */
export function serviceColumns<Row>(
  rows: readonly Row[],
  figuresOf: (row: Row) => ServiceFigures | null,
  groups: { cpu: string; memory: string },
): ServiceColumns<Row> {
  const named = SERVICE_NAMES.map((name) => ({
    label: SERVICES[name].label,
    of: (row: Row) => figuresOf(row)?.each.find((each) => each.name === name),
  })).filter(({ of }) => rows.some((row) => of(row) !== undefined));
  if (named.length === 0) return { cpu: [], memory: [] };
  const all = [...named, { label: 'together', of: (row: Row) => figuresOf(row)?.total }];
  const columns = (group: string, unit: string, text: (taken: Taken) => string) => {
    return all.map(({ label, of }) => {
      return amount<Row>(group, `${label}\n${unit}`, (row) => {
        const taken = of(row);
        return taken && text(taken);
      });
    });
  };
  return {
    cpu: columns(groups.cpu, 'µs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
    memory: columns(groups.memory, 'MB', ({ bytes }) => megabytes(bytes)),
  };
}
