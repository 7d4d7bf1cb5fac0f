import type { RunRecord } from '../../src/record/record.ts';
import {
  summarizeOverheads,
  summarizeTax,
  summarizeTopologies,
} from '../../src/summary/comparisons.ts';
import { summarizeRates } from '../../src/summary/rates.ts';
import { summarizeOverload, summarizeScaling } from '../../src/summary/scaling.ts';
import { type Condition, type Summary, summarize } from '../../src/summary/summary.ts';

const KNOWN = new WeakMap<RunRecord, Summary>();

/** The summary of a record, computed once for all tests that share the record. */
export function summaryOf(record: RunRecord): Summary {
  const known = KNOWN.get(record) ?? summarize(record);
  KNOWN.set(record, known);
  return known;
}

/** What a test needs of a summary, by its name. @throws if the summary does not have it. */
export function present<Found>(found: Found | null | undefined, name: string): Found {
  if (found === null || found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

/** The condition of a record under this load. @throws without one. */
export function conditionUnder(record: RunRecord, id: string): Condition {
  const found = summaryOf(record).conditions.find(({ load }) => load.id === id);
  return present(found, `load ${id}`);
}

/** The summaries of a record; null where it has nothing for them. */
export function summariesOf(record: RunRecord) {
  const summary = summaryOf(record);
  const scaling = summarizeScaling(summary);
  return {
    conditions: summary.conditions,
    overheads: summarizeOverheads(summary),
    topologies: summarizeTopologies(summary),
    scaling,
    overload: summarizeOverload(summary, scaling),
    rates: summarizeRates(summary),
    taxes: summarizeTax(summary),
  };
}
