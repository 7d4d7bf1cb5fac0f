import { cpuPerRequestOf, samples, slicesOf, sum, throughputOf } from '../figures/figures.ts';
import { type Estimate, estimate } from '../math/statistics.ts';
import type { Cell } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { findTruth, type TruthFindings } from '../studies/truth/findings.ts';
import { isInvalid } from '../validity/flags.ts';
import {
  comparePublished,
  type OverheadTable,
  type PublishedTable,
  summarizeOverheads,
  summarizeTopologies,
  type TopologyTable,
} from './comparisons.ts';
import { type Condition, summarizeConditions } from './conditions.ts';
import { type Overload, summarizeOverload } from './overload.ts';
import type { Published } from './published.ts';
import { type RateSummary, summarizeRates } from './rates.ts';
import { type Scaling, summarizeScaling } from './scaling.ts';
import { summarizeTax, type Tax } from './tax.ts';

/** Every number that any report shows. */
export interface Summary {
  record: RunRecord;
  measuredNs: number;
  /** The harness's own CPU time inside windows over the windows' length. */
  harnessShare: number;
  conditions: Condition[];
  overheads: OverheadTable | null;
  topologies: TopologyTable | null;
  published: PublishedTable | null;
  /** Of a run under the loads of the cluster suite. */
  scaling: Scaling | null;
  overload: Overload | null;
  /** Of a run at rates. */
  rates: RateSummary | null;
  /** Of a run on process managers. */
  tax: Tax[] | null;
  /** Of a truth run. */
  truth: TruthFindings | null;
}

/** Works out every number that a report shows. */
export function summarize(record: RunRecord, published: Published | null): Summary {
  const conditions = summarizeConditions(record);
  const rates = summarizeRates(record, conditions);
  const topologies = summarizeTopologies(record, conditions);
  const scaling = summarizeScaling(record, conditions, topologies);
  const measuredNs = sum(record.slices, ({ measurement }) => measurement.windowNs);
  const harnessNs = sum(record.slices, ({ measurement }) => measurement.cpu.harness.cpuNs);
  return {
    record,
    measuredNs,
    harnessShare: measuredNs === 0 ? 0 : harnessNs / measuredNs,
    conditions,
    overheads: rates ? rates.overheads : summarizeOverheads(record, conditions),
    rates,
    tax: summarizeTax(record, conditions),
    topologies,
    scaling,
    overload: summarizeOverload(record, conditions, scaling),
    truth: record.plan.suite === 'truth' ? findTruth(record) : null,
    published: published && comparePublished(record, published),
  };
}

/** Whether nothing here is wrong: no cell is invalid, and a truth run has found the truth. */
export function isSound({ conditions, truth }: Summary): boolean {
  const invalid = conditions.some(({ cells }) => cells.some(({ flags }) => isInvalid(flags)));
  return !invalid && truth?.found !== false;
}

/** What there is of a cell while a run goes on. */
export interface InterimCell {
  cell: Cell;
  throughput: Estimate;
  cpuPerRequest: Estimate;
}

/** The two main figures of every cell, cheap enough to work out after each round. */
export function summarizeInterim(record: RunRecord): InterimCell[] {
  return record.plan.cells.map((cell) => {
    const slices = slicesOf(record, cell);
    return {
      cell,
      throughput: estimate(samples(slices, throughputOf)),
      cpuPerRequest: estimate(samples(slices, cpuPerRequestOf)),
    };
  });
}
