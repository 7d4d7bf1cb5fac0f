import { z } from 'zod';
import { cpuPerRequestOf, paired, slicesOf, throughputOf } from '../../figures/figures.ts';
import { estimateRatio, pointOf } from '../../math/statistics.ts';
import type { RunRecord, Slice } from '../../record/record.ts';

const ratio = z.number().positive();
export const ratiosSchema = z.object({
  expressToFastify: ratio,
  fastifyTwins: ratio,
  expressTwins: ratio,
});
/** Ratios of a figure: of two frameworks, and of one server under two names. */
export type Ratios = z.infer<typeof ratiosSchema>;
export const RATIO_NAMES = ratiosSchema.keyof().options;
export type RatioName = keyof Ratios;

/** The figures that ratios are of, the headline first: CPU per request, and requests/s. */
export const FIGURES = ['cpu', 'throughput'] as const;
export type Figure = (typeof FIGURES)[number];
const OF_SLICE: Record<Figure, (slice: Slice) => number> = {
  cpu: cpuPerRequestOf,
  throughput: throughputOf,
};

/** The targets of `bench/twins` that each ratio is of. */
export const PAIRS: Record<RatioName, { target: string; base: string }> = {
  expressToFastify: { target: 'express-a', base: 'fastify-a' },
  fastifyTwins: { target: 'fastify-b', base: 'fastify-a' },
  expressTwins: { target: 'express-b', base: 'express-a' },
};

/** The ratios of a figure that a run of the twins found; null where one could not be measured. */
export function ratiosOf(record: RunRecord, figure: Figure): Ratios | null {
  const found = Object.entries(PAIRS).map(([name, { target, base }]) => {
    return [name, ratioOf(record, figure, target, base)];
  });
  return ratiosSchema.safeParse(Object.fromEntries(found)).data ?? null;
}

function ratioOf(record: RunRecord, figure: Figure, target: string, base: string): number | null {
  const slices = (name: string) => {
    const cells = record.plan.cells.filter((cell) => cell.target === name);
    return cells.flatMap((cell) => slicesOf(record, cell));
  };
  const ratios = paired(slices(target), slices(base), OF_SLICE[figure], (a, b) => a / b);
  return pointOf(estimateRatio(ratios));
}
