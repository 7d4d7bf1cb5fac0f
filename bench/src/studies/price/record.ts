import { z } from 'zod';
import { type Machine, machineSchema } from '../../system/machine.ts';
import { type PricePlan, VARIANTS } from './plan.ts';

const variantSchema = z.enum(VARIANTS);

const priceSliceSchema = z.object({
  /** From 0. */
  launch: z.int(),
  /** From 0, within the launch. */
  round: z.int(),
  variant: variantSchema,
  /** CPU time of the server inside the window. */
  cpuNs: z.number(),
  /** Answers as declared inside the window. */
  responses: z.int(),
  windowNs: z.number(),
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
  wallNs: z.number(),
  machine: machineSchema,
  seed: z.int(),
  /** As planned. */
  launches: z.int(),
  /** Of a launch, as planned. */
  rounds: z.int(),
  sliceNs: z.number(),
  variants: z.array(variantSchema),
  /** Idle servers beside the twins. */
  neighbours: z.int(),
  slices: z.array(priceSliceSchema),
});

/** All that a price run saw; its report is made from it alone. */
export type PriceRecord = z.infer<typeof priceRecordSchema>;

/** A record of a price run that is about to begin. */
export function newPriceRecord(plan: PricePlan, machine: Machine, startedAt: Date): PriceRecord {
  const { base, launches, variants, neighbours } = plan;
  return {
    schema: 'overhead.price',
    version: 2,
    startedAt: startedAt.toISOString(),
    state: 'running',
    wallNs: 0,
    machine,
    seed: base.seed,
    launches: launches.length,
    rounds: base.rounds,
    sliceNs: Math.max(...base.loads.map(({ sliceNs }) => sliceNs)),
    variants,
    neighbours: neighbours.length,
    slices: [],
  };
}
