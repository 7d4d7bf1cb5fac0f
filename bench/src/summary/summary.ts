import { CPU, figureOf, sum, THROUGHPUT } from '../figures/figures.ts';
import type { Estimate } from '../math/statistics.ts';
import { type Cell, isStandard } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { isInvalid } from '../validity/flags.ts';
import { type Condition, summarizeConditions } from './conditions.ts';

/** What every kind of run shows; from it each kind works out what else it is about. */
export interface Summary {
  record: RunRecord;
  measuredNs: number;
  /** The harness's own CPU time inside windows over the windows' length. */
  harnessShare: number;
  conditions: Condition[];
}

/** Works out what every kind of run shows. */
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

/** Whether what each load is there for was measured of every cell that the run got to, and nothing makes it wrong. */
export function isValid({ record, conditions }: Summary): boolean {
  const lost = new Set(record.serviceFailures.flatMap(({ servers }) => servers));
  return conditions.every(({ load, cells }) => {
    return cells.every(({ cell, outcome, flags }) => {
      const isLost = outcome.state !== 'measured' && lost.has(cell.server);
      return outcome.state !== 'failed' && !isLost && !isInvalid(flags, load.headline);
    });
  });
}

/** What there is of a cell while a run goes on. */
export interface InterimCell {
  cell: Cell;
  throughput: Estimate;
  cpuPerRequest: Estimate;
}

/** The two main figures of every cell, cheap enough to work out after each round. */
export function summarizeInterim(record: RunRecord): InterimCell[] {
  return record.plan.cells.filter(isStandard).map((cell) => {
    const throughput = figureOf(record, cell, THROUGHPUT);
    return { cell, throughput, cpuPerRequest: figureOf(record, cell, CPU) };
  });
}
