import { median } from 'simple-statistics';
import { sum } from '../figures/figures.ts';
import { cellOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';

/** What the warm-ups of a run came to. */
export interface WarmupSummary {
  /** Servers started and warmed up, over all launches. */
  starts: number;
  /** What the median of the starts that settled took; null where none did. */
  settled: { ns: number; requests: number } | null;
  /** Starts whose time was up before they had settled. */
  capped: { starts: number; capNs: number; servers: string[] } | null;
}

interface Start {
  server: string;
  hasSettled: boolean;
  ns: number;
  requests: number;
}

/** Null where nobody looked whether servers settle, or nothing was warmed up. */
export function summarizeWarmups(record: RunRecord): WarmupSummary | null {
  const { warmup } = record.plan;
  const starts = startsOf(record);
  if (warmup.kind !== 'settled' || starts.length === 0) return null;
  const settled = starts.filter(({ hasSettled }) => hasSettled);
  const capped = starts.filter(({ hasSettled }) => !hasSettled);
  const typical = (of: (start: Start) => number) => median(settled.map(of));
  const { capNs } = warmup;
  const servers = [...new Set(capped.map(({ server }) => server))];
  return {
    starts: starts.length,
    settled:
      settled.length > 0
        ? { ns: typical(({ ns }) => ns), requests: typical(({ requests }) => requests) }
        : null,
    capped: capped.length > 0 ? { starts: capped.length, capNs, servers } : null,
  };
}

/** By themselves, or among others in blocks that were not counted. */
function startsOf({ plan, warmups, slices }: RunRecord): Start[] {
  const alone = warmups.map(({ server, ns, outcome, batches }): Start => {
    const requests = sum(batches, ({ answers }) => answers);
    return { server, hasSettled: outcome === 'settled', ns, requests };
  });
  const among = slices.flatMap(({ cell, measurement: { leadIn } }): Start[] => {
    const { hasSettled, ns, answers: requests } = leadIn;
    return hasSettled === null
      ? []
      : [{ server: cellOf(plan, cell).server, hasSettled, ns, requests }];
  });
  return [...alone, ...among];
}
