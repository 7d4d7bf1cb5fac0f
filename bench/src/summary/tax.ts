import type { Comparison } from '../math/verdicts.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { compareFamily } from './compare-family.ts';
import { type CellSummary, type Condition, cellIn } from './conditions.ts';

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
  comparison: Comparison | null;
}

/** What a tax run shows, target by target; null where no plain process ran. */
export function summarizeTax(record: RunRecord, conditions: Condition[]): Tax[] | null {
  const costs = conditions.filter(({ load }) => load.headline === 'cpu' && load.saturates);
  const plain = costs.find(({ topology }) => isPlain(topology));
  if (plain === undefined) return null;
  const pairs = record.targets.flatMap((target) => {
    const base = cellIn(plain, target);
    return costs.flatMap((condition) => {
      const summary = cellIn(condition, target);
      return summary && base ? [{ topology: condition.topology, summary, base }] : [];
    });
  });
  const rows = compareFamily(record, pairs);
  return record.targets.map((target) => {
    return { target, rows: rows.filter(({ summary }) => summary.target === target) };
  });
}
