import { z } from 'zod';
import { HEADLINES as FIGURES, sidesOf, slicesOf } from '../../figures/figures.ts';
import { pointOf, ratio } from '../../math/statistics.ts';
import type { HeadlineName } from '../../plan/loads.ts';
import type { RunRecord } from '../../record/record.ts';
import { machineSchema } from '../../system/machine.ts';
import { METHODS } from './run-options.ts';

/** Of two frameworks, and of one server under two names. */
export const RATIO_NAMES = ['expressToFastify', 'fastifyTwins', 'expressTwins'] as const;
export type RatioName = (typeof RATIO_NAMES)[number];

const ratiosSchema = z.record(z.enum(RATIO_NAMES), z.number().positive());

/** The figures of the ratios, the headline of this project first. */
export const HEADLINES = ['cpu', 'throughput'] as const satisfies HeadlineName[];

const HEAD = { schema: 'overhead.methods', version: 3 } as const;

const measurementSchema = z.object({
  method: z.enum(METHODS),
  repeat: z.int().min(0),
  /** From the first start to the last stop, ns. */
  wallNs: z.number().min(0),
  /** Of CPU per request, and of requests/s. */
  ratios: z.record(z.enum(HEADLINES), ratiosSchema),
});

export const methodsRecordSchema = z.object({
  schema: z.literal(HEAD.schema),
  version: z.literal(HEAD.version),
  startedAt: z.iso.datetime(),
  machine: machineSchema,
  seed: z.int(),
  repeats: z.int().min(0),
  /** The wall time planned for each measurement, ns. */
  targetNs: z.number().positive(),
  measurements: z.array(measurementSchema),
});
export type MethodsRecord = z.infer<typeof methodsRecordSchema>;

export function newMethodsRecord(
  parts: Pick<MethodsRecord, 'machine' | 'seed' | 'repeats' | 'targetNs'>,
  startedAt: Date,
): MethodsRecord {
  return { ...HEAD, startedAt: startedAt.toISOString(), ...parts, measurements: [] };
}

/** The targets of `bench/twins` in each ratio. */
const PAIRS: Record<RatioName, { target: string; base: string }> = {
  expressToFastify: { target: 'express-a', base: 'fastify-a' },
  fastifyTwins: { target: 'fastify-b', base: 'fastify-a' },
  expressTwins: { target: 'express-b', base: 'express-a' },
};

/** The ratios of a figure in a run of the twins; null if one could not be measured. */
export function ratiosOf(record: RunRecord, headline: HeadlineName) {
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
