import { cpuPairs, moreCpu, slicesOf } from '../figures/figures.ts';
import type { Estimate } from '../math/statistics.ts';
import { type Comparison, compare, NEITHER } from '../math/verdicts.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
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
  more: { cpuNs: Estimate; comparison: Comparison } | null;
}

/** What a tax run shows, target by target; null where no plain process ran. */
export function summarizeTax(record: RunRecord, conditions: Condition[]): Tax[] | null {
  const { plan, targets } = record;
  const costs = conditions.filter(({ load }) => load.headline === 'cpu');
  const plain = costs.find(({ topology }) => isPlain(topology));
  if (plain === undefined) return null;
  const rows = targets.flatMap((target) =>
    costs.flatMap(({ topology, cells }) => {
      const summary = cells.find((each) => each.target === target);
      const base = plain.cells.find((each) => each.target === target);
      if (summary === undefined || base === undefined) return [];
      const pairs = cpuPairs(slicesOf(record, summary.cell), slicesOf(record, base.cell));
      return [{ target, topology, summary, isBase: summary === base, pairs }];
    }),
  );
  const taxed = rows.filter(({ isBase, pairs }) => !isBase && pairs.ratios.length > 0);
  const compared = compare(
    taxed.map(({ pairs: { ratios } }) => ({ ratios, mayBeBetter: NEITHER })),
    { better: 'less', equivalence: plan.equivalence },
  );
  return targets.map((target) => ({
    target,
    rows: rows
      .filter((row) => row.target === target)
      .map((row): TaxRow => {
        const { topology, summary, pairs } = row;
        const comparison = compared[taxed.indexOf(row)];
        const more = comparison && { cpuNs: moreCpu(pairs.base, comparison.ratio), comparison };
        return { topology, summary, more: more ?? null };
      }),
  }));
}
