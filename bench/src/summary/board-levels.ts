import { pointOf } from '../math/statistics.ts';
import type { ClosedLoad } from '../plan/loads.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { BOARD_PATHS, type BoardPath, boardPathOf } from './board-names.ts';
import type { CellSummary, Condition } from './conditions.ts';

/** A path under one number of connections, as every server of a launch had it, whatever its cores. */
export interface BoardLevel {
  path: BoardPath;
  load: ClosedLoad;
  /** The one whose request takes the least CPU time of server and services first; the unmeasured last. */
  rows: BoardRow[];
}

export interface BoardRow {
  summary: CellSummary;
  topology: Topology;
}

/** The levels of a run that have cells, in the order of its loads. */
export function boardLevels({ plan }: RunRecord, conditions: Condition[]): BoardLevel[] {
  return plan.loads.flatMap((load): BoardLevel[] => {
    const own = conditions.filter((condition) => condition.load === load);
    const rows = own.flatMap(({ topology, cells }) => {
      return cells.map((summary): BoardRow => ({ summary, topology }));
    });
    const paths = new Set(rows.map(({ summary }) => boardPathOf(summary.target)));
    const path = BOARD_PATHS.find((each) => paths.has(each));
    if (load.kind === 'open' || path === undefined) return [];
    return [{ path, load, rows: rows.toSorted((a, b) => costOf(a) - costOf(b)) }];
  });
}

/** CPU time of server and services for a request, ns; more than any where it was not measured. */
function costOf({ summary: { outcome } }: BoardRow): number {
  if (outcome.state !== 'measured') return Number.MAX_VALUE;
  const { figures, services } = outcome;
  const cpu = services?.total.cpuPerRequest ?? figures.cpuPerRequest;
  return pointOf(cpu) ?? Number.MAX_VALUE;
}
