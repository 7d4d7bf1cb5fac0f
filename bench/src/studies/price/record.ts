import { z } from 'zod';
import type { RunRecord } from '../../record/record.ts';
import { machineSchema } from '../../system/machine.ts';
import { VARIANTS, variantOf } from './plan.ts';

const variantSchema = z.enum(VARIANTS);

const priceSliceSchema = z.object({
  /** From 0. */
  launch: z.int().min(0),
  /** From 0, within the launch. */
  round: z.int().min(0),
  variant: variantSchema,
  /** CPU time of the server inside the window. */
  cpuNs: z.number(),
  /** Answers as declared inside the window. */
  responses: z.int().min(0),
  windowNs: z.number().positive(),
});
/** One piece of measurement of one variant. */
export type PriceSlice = z.infer<typeof priceSliceSchema>;

export const priceRecordSchema = z.object({
  schema: z.literal('overhead.price'),
  version: z.literal(2),
  startedAt: z.iso.datetime(),
  /** `running` in a file means that the run was cut off after the last saved round. */
  state: z.enum(['running', 'complete', 'interrupted']),
  /** Since the run began, ns. */
  wallNs: z.number().min(0),
  machine: machineSchema,
  seed: z.int(),
  /** As planned. */
  launches: z.int().min(0),
  /** Of a launch, as planned. */
  rounds: z.int().min(0),
  sliceNs: z.number().positive(),
  variants: z.array(variantSchema),
  /** Idle servers beside the twins. */
  neighbours: z.int().min(0),
  slices: z.array(priceSliceSchema),
});

/** All that a price run saw; its report is made from it alone. */
export type PriceRecord = z.infer<typeof priceRecordSchema>;

/** What a run on a price plan has seen so far, of what its report is made from. */
export function priceRecordOf(run: RunRecord): PriceRecord {
  const { plan, startedAt, state, wallNs, machine } = run;
  const variants = VARIANTS.filter((variant) => {
    return (
      variant === 'unverified' || plan.cells.some(({ arrangement }) => arrangement === variant)
    );
  });
  const [[group] = []] = plan.launches;
  return {
    schema: 'overhead.price',
    version: 2,
    startedAt,
    state,
    wallNs,
    machine,
    seed: plan.seed,
    launches: plan.launches.length,
    rounds: plan.rounds,
    sliceNs: Math.max(...plan.loads.map(({ sliceNs }) => sliceNs)),
    variants,
    neighbours: group?.idle.length ?? 0,
    slices: run.slices.map(({ cell, launch, round, measurement: { cpu, window, windowNs } }) => ({
      ...{ launch, round, variant: variantOf(plan, launch, cell) },
      ...{ cpuNs: cpu.server.cpuNs, responses: window.ok, windowNs },
    })),
  };
}
