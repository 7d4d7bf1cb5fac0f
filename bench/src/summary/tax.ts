import type { Comparison } from '../math/verdicts.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { compareCells, comparisonOf } from './compare-cells.ts';
import type { CellSummary, Condition } from './conditions.ts';

/** What process managers cost a target, beside plain `node`. */
export interface Tax {
  target: Target;
  rows: TaxRow[];
}

/** One way to keep a process. */
export interface TaxRow {
  topology: Topology;
  summary: CellSummary;
  /** What it costs more than the plain process; null for that itself. */
  more: Comparison | null;
}

/** What a tax run shows, target by target; null where no plain process ran. */
export function summarizeTax(record: RunRecord, conditions: Condition[]): Tax[] | null {
  const { targets } = record;
  const costs = conditions.filter(({ load }) => load.headline === 'cpu' && load.saturates);
  const plain = costs.find(({ topology }) => isPlain(topology));
  if (plain === undefined) return null;
  const rows = targets.flatMap((target) =>
    costs.flatMap(({ topology, cells }) => {
      const summary = cells.find((each) => each.target === target);
      const base = plain.cells.find((each) => each.target === target);
      if (summary === undefined || base === undefined) return [];
      return [{ target, topology, own: summary, base }];
    }),
  );
  const taxed = rows.filter(({ own, base }) => own !== base);
  const compared = compareCells(record, taxed);
  return targets.map((target) => ({
    target,
    rows: rows
      .filter((row) => row.target === target)
      .map((row): TaxRow => {
        const { topology, own: summary } = row;
        return { topology, summary, more: comparisonOf(compared[taxed.indexOf(row)]) };
      }),
  }));
}
