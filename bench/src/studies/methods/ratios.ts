import { z } from 'zod';
import { paired, slicesOf, THROUGHPUT } from '../../figures/figures.ts';
import { estimateRatio, pointOf } from '../../math/statistics.ts';
import type { RunRecord } from '../../record/record.ts';

const ratio = z.number().positive();
export const ratiosSchema = z.object({
  expressToFastify: ratio,
  fastifyTwins: ratio,
  expressTwins: ratio,
});
/** Ratios of requests/s: of two frameworks, and of one server under two names. */
export type Ratios = z.infer<typeof ratiosSchema>;
export const RATIO_NAMES = ratiosSchema.keyof().options;
export type RatioName = keyof Ratios;

/** The targets of `bench/twins` that each ratio is of. */
export const PAIRS: Record<RatioName, { target: string; base: string }> = {
  expressToFastify: { target: 'express-a', base: 'fastify-a' },
  fastifyTwins: { target: 'fastify-b', base: 'fastify-a' },
  expressTwins: { target: 'express-b', base: 'express-a' },
};

/** The ratios that a run of the twins found; null where one of them could not be measured. */
export function ratiosOf(record: RunRecord): Ratios | null {
  const found = Object.entries(PAIRS).map(([name, { target, base }]) => {
    return [name, ratioOf(record, target, base)];
  });
  return ratiosSchema.safeParse(Object.fromEntries(found)).data ?? null;
}

function ratioOf(record: RunRecord, target: string, base: string): number | null {
  const slices = (name: string) => {
    const cells = record.plan.cells.filter((cell) => cell.target === name);
    return cells.flatMap((cell) => slicesOf(record, cell));
  };
  const ratios = paired(slices(target), slices(base), THROUGHPUT, (a, b) => a / b);
  return pointOf(estimateRatio(ratios));
}
