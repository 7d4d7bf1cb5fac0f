import { z } from 'zod';
import { areComparable, CPU, meanFigure, samples, sidesOf, slicesOf } from '../figures/figures.ts';
import type { Latency } from '../figures/latency.ts';
import { type Estimate, estimate } from '../math/statistics.ts';
import { type Comparison, compare, NEITHER } from '../math/verdicts.ts';
import { isPlain } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { CellSummary, Condition } from './conditions.ts';
import { readPublished } from './published.ts';

const LANGUAGES = ['nest', 'gin'] as const;
type Language = (typeof LANGUAGES)[number];

const stepSchema = z.object({
  step: z.int(),
  /** Which target is the one of each language, as it was at that step. */
  targets: z.object({ nest: z.string(), gin: z.string() }),
  /** What was said of the CPU time of the one beside the other. */
  ginBesideNest: z.enum(['more', 'closer', 'same']),
});

const bidderSchema = z.object({
  source: z.string(),
  environment: z.object({ cpu: z.string() }),
  steps: z.array(stepSchema),
  results: z.array(
    z.object({
      step: z.int(),
      target: z.enum(LANGUAGES),
      /** MB. */
      memoryAtStart: z.number(),
      memoryUnderLoad: z.number(),
    }),
  ),
});
type PublishedSteps = z.infer<typeof bidderSchema>;
/** What was said of one language beside the other. */
export type Said = z.infer<typeof stepSchema>['ginBesideNest'];

/** What was published of the bidder. */
export function publishedSteps(): PublishedSteps {
  return bidderSchema.parse(readPublished('bidder'));
}

/** A published step, as it was measured here. */
export interface StepRow {
  step: number;
  said: Said;
  nest: CellSummary;
  gin: CellSummary;
  /** CPU per request of the servers, Gin's over Nest's, and what that says among all steps. */
  comparison: Comparison;
}

/** Memory of a server at a step, bytes: published, and measured here. */
export interface MemoryRow {
  step: number;
  language: Language;
  when: 'at start' | 'under load';
  published: number;
  measured: Estimate;
}

/** Nest's memory under load over Gin's. */
export interface MemoryRatio {
  step: number;
  published: number;
  measured: Comparison;
}

/** The published steps beside those measured here. */
export interface StepsTable {
  source: string;
  cpu: string;
  /** At the published rate with the published number of cores; null where it was not measured so. */
  published: { condition: Condition; rows: StepRow[] } | null;
  /** One request at a time, as single processes; null as above. */
  quiet: { condition: Condition; rows: StepRow[] } | null;
  memory: MemoryRow[];
  ratios: MemoryRatio[];
}

/**
 * What was published of the bidder beside what was measured: `quiet` is the condition in which requests come
 * alone. Null where nothing of it was measured.
 */
export function summarizeSteps(
  record: RunRecord,
  conditions: readonly Condition[],
  quiet: Condition | undefined,
): StepsTable | null {
  const { source, environment, steps, results } = publishedSteps();
  const condition = conditions.find(
    ({ topology, load }) => !isPlain(topology) && load.kind === 'open',
  );
  const rowsIn = (where: Condition | undefined) => {
    const rows = where ? stepRows(record, where, steps) : [];
    return where && rows.length > 0 ? { condition: where, rows } : null;
  };
  const found = { published: rowsIn(condition), quiet: rowsIn(quiet) };
  const held = condition ? memoryOf(record, condition, steps, results) : { memory: [], ratios: [] };
  if (found.published === null && found.quiet === null && held.memory.length === 0) return null;
  return { source, cpu: environment.cpu, ...found, ...held };
}

function stepRows(
  record: RunRecord,
  { cells }: Condition,
  steps: PublishedSteps['steps'],
): StepRow[] {
  const found = steps.flatMap(({ step, targets, ginBesideNest: said }) => {
    const [nest, gin] = LANGUAGES.map((name) => measuredOf(cells, targets[name]));
    if (!nest || !gin) return [];
    const sides = sidesOf(slicesOf(record, gin.cell), slicesOf(record, nest.cell), CPU);
    return areComparable(sides) ? [{ step, said, nest, gin, sides }] : [];
  });
  const compared = compare(
    found.map(({ sides }) => ({ sides, mayBeBetter: NEITHER })),
    { better: 'less', equivalence: record.plan.equivalence },
  );
  return found.flatMap(({ sides: _, ...row }, index) => {
    const comparison = compared[index];
    return comparison ? [{ ...row, comparison }] : [];
  });
}

const MB = 1e6;

function memoryOf(
  record: RunRecord,
  { cells }: Condition,
  steps: PublishedSteps['steps'],
  results: PublishedSteps['results'],
): Pick<StepsTable, 'memory' | 'ratios'> {
  const cellAt = (step: number, language: Language) => {
    const targets = steps.find((each) => each.step === step)?.targets;
    return targets && measuredOf(cells, targets[language]);
  };
  const memory = results.flatMap(({ step, target: language, memoryAtStart, memoryUnderLoad }) => {
    const found = cellAt(step, language);
    if (found === undefined) return [];
    const { cell } = found;
    const starts = record.starts.filter(({ server }) => server === cell.server);
    const atStart = starts.map(({ launch, bytes }) => ({ launch, value: bytes }));
    const row = { step, language };
    const all: MemoryRow[] = [
      { ...row, when: 'at start', published: memoryAtStart * MB, measured: estimate(atStart) },
      {
        ...{ ...row, when: 'under load', published: memoryUnderLoad * MB },
        measured: estimate(samples(slicesOf(record, cell), MEMORY)),
      },
    ];
    return all.filter(({ measured }) => measured.kind !== 'none');
  });
  const pairs = steps.flatMap(({ step }) => {
    const [nest, gin] = LANGUAGES.map((language) => cellAt(step, language));
    const [one, other] = LANGUAGES.map((language) => {
      return results.find((each) => each.step === step && each.target === language);
    });
    if (!nest || !gin || !one || !other) return [];
    const own = sidesOf(slicesOf(record, nest.cell), slicesOf(record, gin.cell), MEMORY);
    const published = one.memoryUnderLoad / other.memoryUnderLoad;
    return [{ step, published, own }];
  });
  const compared = compare(
    pairs.map(({ own }) => ({ sides: own, mayBeBetter: NEITHER })),
    { better: 'less', equivalence: record.plan.equivalence },
  );
  return {
    memory,
    ratios: pairs.flatMap(({ own: _, ...row }, index) => {
      const measured = compared[index];
      return measured && measured.ratio.kind !== 'none' ? [{ ...row, measured }] : [];
    }),
  };
}

const MEMORY = meanFigure('memory', 'less', ({ measurement: { memory, workersCpuNs } }) => {
  return workersCpuNs.length === 0 ? Number.NaN : memory.server;
});

function measuredOf(cells: readonly CellSummary[], name: string): CellSummary | undefined {
  return cells.find(({ target, outcome }) => target.name === name && outcome.state === 'measured');
}

/** The latency of a cell, where it has any. */
export function latencyOfCell({ outcome }: CellSummary): Latency | null {
  return outcome.state === 'measured' ? outcome.figures.latency : null;
}
