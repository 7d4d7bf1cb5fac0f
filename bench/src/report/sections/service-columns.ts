import type { ServiceFigures } from '../../figures/services.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from '../../services/index.ts';
import { megabytes, NONE, plusMinus } from '../format.ts';
import type { Column } from '../tabulate.ts';

/** Columns about services, for a table in which some row has some. */
export interface ServiceColumns<Row> {
  /** What each takes for a request, and the server with all of them. */
  cpu: Column<Row>[];
  /** The memory of each, and the server's with all of them. */
  memory: Column<Row>[];
}

/** Columns of what services took for rows, of which some may have none. */
export function serviceColumns<Row>(
  rows: readonly Row[],
  figuresOf: (row: Row) => ServiceFigures | null,
  groups: { cpu: string; memory: string },
): ServiceColumns<Row> {
  const names = SERVICE_NAMES.filter((name) => rows.some((row) => ofService(figuresOf(row), name)));
  if (names.length === 0) return { cpu: [], memory: [] };
  return {
    cpu: [
      ...names.map((name) => ({
        group: groups.cpu,
        head: `${SERVICES[name].label}\nµs/request`,
        cell: (row: Row) => {
          const own = ofService(figuresOf(row), name);
          return own ? plusMinus(own.cpuPerRequest, 1000) : NONE;
        },
      })),
      {
        group: groups.cpu,
        head: 'together\nµs/request',
        cell: (row: Row) => {
          const figures = figuresOf(row);
          return figures ? plusMinus(figures.total.cpuPerRequest, 1000) : NONE;
        },
      },
    ],
    memory: [
      ...names.map((name) => ({
        group: groups.memory,
        head: `${SERVICES[name].label}\nMB`,
        cell: (row: Row) => {
          const own = ofService(figuresOf(row), name);
          return own ? megabytes(own.bytes) : NONE;
        },
      })),
      {
        group: groups.memory,
        head: 'together\nMB',
        cell: (row: Row) => {
          const figures = figuresOf(row);
          return figures ? megabytes(figures.total.bytes) : NONE;
        },
      },
    ],
  };
}

function ofService(figures: ServiceFigures | null, name: ServiceName) {
  return figures?.each.find((each) => each.name === name);
}
