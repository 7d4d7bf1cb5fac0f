import { median } from 'simple-statistics';
import { sum } from '../figures/figures.ts';
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

/** Null where nobody looked whether servers settle, or nothing was warmed up. */
export function summarizeWarmups({ plan, warmups }: RunRecord): WarmupSummary | null {
  if (plan.warmup.kind !== 'settled' || warmups.length === 0) return null;
  const settled = warmups.filter(({ outcome }) => outcome === 'settled');
  const capped = warmups.filter(({ outcome }) => outcome === 'capped');
  const requestsOf = ({ batches }: (typeof warmups)[number]) => {
    return sum(batches, ({ answers }) => answers);
  };
  return {
    starts: warmups.length,
    settled:
      settled.length === 0
        ? null
        : { ns: median(settled.map(({ ns }) => ns)), requests: median(settled.map(requestsOf)) },
    capped:
      capped.length === 0
        ? null
        : {
            starts: capped.length,
            capNs: plan.warmup.capNs,
            servers: [...new Set(capped.map(({ server }) => server))],
          },
  };
}
