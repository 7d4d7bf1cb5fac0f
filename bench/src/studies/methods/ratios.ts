import { z } from 'zod';
import { HEADLINES as FIGURES, sidesOf, slicesOf } from '../../figures/figures.ts';
import { pointOf, ratio } from '../../math/statistics.ts';
import type { HeadlineName } from '../../plan/loads.ts';
import type { RunRecord } from '../../record/record.ts';

const positive = z.number().positive();
export const ratiosSchema = z.object({
  expressToFastify: positive,
  fastifyTwins: positive,
  expressTwins: positive,
});
/** Ratios of a figure: of two frameworks, and of one server under two names. */
export type Ratios = z.infer<typeof ratiosSchema>;
export const RATIO_NAMES = ratiosSchema.keyof().options;
export type RatioName = keyof Ratios;

/** The figures of the ratios, the headline of this project first. */
export const HEADLINES = ['cpu', 'throughput'] as const satisfies HeadlineName[];

/** The targets of `bench/twins` in each ratio. */
const PAIRS: Record<RatioName, { target: string; base: string }> = {
  expressToFastify: { target: 'express-a', base: 'fastify-a' },
  fastifyTwins: { target: 'fastify-b', base: 'fastify-a' },
  expressTwins: { target: 'express-b', base: 'express-a' },
};

/** The ratios of a figure in a run of the twins; null if one could not be measured. */
export function ratiosOf(record: RunRecord, headline: HeadlineName): Ratios | null {
  const slices = (name: string) => {
    const cells = record.plan.cells.filter((cell) => cell.target === name);
    return cells.flatMap((cell) => slicesOf(record, cell));
  };
  const found = Object.entries(PAIRS).map(([name, { target, base }]) => {
    const sides = sidesOf(slices(target), slices(base), FIGURES[headline]);
    return [name, pointOf(ratio(sides))];
  });
  return ratiosSchema.safeParse(Object.fromEntries(found)).data ?? null;
}
