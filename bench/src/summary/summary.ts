import { sum } from '../figures/figures.ts';
import type { RunRecord } from '../record/record.ts';
import { isInvalid } from '../validity/flags.ts';
import { type Condition, summarizeConditions } from './conditions.ts';

/** What every kind of run shows; each kind derives the rest from it. */
export interface Summary {
  record: RunRecord;
  measuredNs: number;
  /** The harness's own CPU time inside windows over the length of the windows. */
  harnessShare: number;
  conditions: Condition[];
}

/** The summary of a run of any kind. */
export function summarize(record: RunRecord): Summary {
  const measuredNs = sum(record.slices, ({ measurement }) => measurement.windowNs);
  const harnessNs = sum(record.slices, ({ measurement }) => measurement.cpu.harness.cpuNs);
  return {
    record,
    measuredNs,
    harnessShare: measuredNs === 0 ? 0 : harnessNs / measuredNs,
    conditions: summarizeConditions(record),
  };
}

/** Whether the headline of each load was measured for every cell that the run reached, and no flag makes it wrong. */
export function isValid({ record, conditions }: Summary): boolean {
  const lost = new Set(record.serviceFailures.flatMap(({ servers }) => servers));
  return conditions.every(({ load, cells }) => {
    return cells.every(({ cell, outcome, flags }) => {
      const isLost = outcome.state !== 'measured' && lost.has(cell.server);
      return outcome.state !== 'failed' && !isLost && !isInvalid(flags, load.headline);
    });
  });
}
