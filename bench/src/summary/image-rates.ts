import { busyOf, slicesOf, sum } from '../figures/figures.ts';
import type { Latency } from '../figures/latency.ts';
import type { OpenLoad } from '../plan/loads.ts';
import type { RunRecord } from '../record/record.ts';
import { UNDER_WAY } from '../validity/thresholds.ts';
import type { CellSummary, Condition } from './conditions.ts';

/** The servers that are no variants at a rate. */
export interface ImageRate {
  condition: Condition & { load: OpenLoad };
  rows: ImageRateRow[];
}

export interface ImageRateRow {
  summary: CellSummary;
  /** Answered as declared, and planned, in the windows. */
  answered: { ok: number; planned: number };
  busy: number;
  /** Whether it answers as many as are planned. */
  keepsUp: boolean;
}

/** The rates of a run of the image servers, in the order of its loads. */
export function imageRates(record: RunRecord, conditions: readonly Condition[]): ImageRate[] {
  return conditions.flatMap((condition): ImageRate[] => {
    const { load, cells } = condition;
    if (load.kind !== 'open') return [];
    const rows = cells.map((summary) => rateRow(record, summary));
    return [{ condition: { ...condition, load }, rows }];
  });
}

function rateRow(record: RunRecord, summary: CellSummary): ImageRateRow {
  const slices = slicesOf(record, summary.cell);
  const ok = sum(slices, ({ measurement }) => measurement.window.ok);
  const planned = sum(slices, ({ measurement }) => measurement.pace?.planned ?? 0);
  return {
    summary,
    answered: { ok, planned },
    busy: busyOf(slices),
    keepsUp: planned - ok <= UNDER_WAY * slices.length,
  };
}

/** A server's latency at one of the rates; null where it was not measured. */
export function latencyAt(rates: readonly ImageRate[], id: string, name: string): Latency | null {
  const rate = rates.find(({ condition }) => condition.load.id === id);
  const row = rate?.rows.find(({ summary }) => summary.target.name === name);
  const outcome = row?.summary.outcome;
  return outcome?.state === 'measured' ? outcome.figures.latency : null;
}
