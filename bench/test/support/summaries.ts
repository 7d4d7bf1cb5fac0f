import type { RunRecord } from '../../src/record/record.ts';
import {
  type OverheadTable,
  summarizeOverheads,
  summarizeTopologies,
  type TopologyTable,
} from '../../src/summary/comparisons.ts';
import { type Condition, summarizeConditions } from '../../src/summary/conditions.ts';
import { type Overload, summarizeOverload } from '../../src/summary/overload.ts';
import { type RateSummary, summarizeRates } from '../../src/summary/rates.ts';
import { type Scaling, summarizeScaling } from '../../src/summary/scaling.ts';
import { type Summary, summarize } from '../../src/summary/summary.ts';
import { summarizeTax, type Tax } from '../../src/summary/tax.ts';

const KNOWN = new WeakMap<RunRecord, Summary>();

/** The summary of a record, which tests that share the record share too. */
export function summaryOf(record: RunRecord): Summary {
  const known = KNOWN.get(record) ?? summarize(record);
  KNOWN.set(record, known);
  return known;
}

/** Everything that some kind of run works out of its record; null where this one has nothing of it. */
export interface Summaries {
  conditions: Condition[];
  overheads: OverheadTable | null;
  topologies: TopologyTable | null;
  scaling: Scaling | null;
  overload: Overload | null;
  rates: RateSummary | null;
  taxes: Tax[] | null;
}

/** Works out all of it, whatever the kind of run. */
export function summariesOf(record: RunRecord): Summaries {
  const conditions = summarizeConditions(record);
  const topologies = summarizeTopologies(record, conditions);
  const scaling = summarizeScaling(record, conditions, topologies);
  return {
    conditions,
    overheads: summarizeOverheads(record, conditions),
    topologies,
    scaling,
    overload: summarizeOverload(record, conditions, scaling),
    rates: summarizeRates(record, conditions),
    taxes: summarizeTax(record, conditions),
  };
}
