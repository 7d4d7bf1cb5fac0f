import { z } from 'zod';
import type { RunRecord } from '../../record/record.ts';
import { machineSchema } from '../../system/machine.ts';
import { VARIANTS, variantOf } from './plan.ts';

const variantSchema = z.enum(VARIANTS);

const HEAD = { schema: 'overhead.price', version: 2 } as const;

export const priceRecordSchema = z.object({
  schema: z.literal(HEAD.schema),
  version: z.literal(HEAD.version),
  startedAt: z.iso.datetime(),
  /** `running` in a file means that the run was cut off after the last saved round. */
  state: z.enum(['running', 'complete', 'interrupted']),
  /** Since the start of the run, ns. */
  wallNs: z.number().min(0),
  machine: machineSchema,
  seed: z.int(),
  /** As planned. */
  launches: z.int().min(0),
  /** Of a launch, as planned. */
  rounds: z.int().min(0),
  sliceNs: z.number().positive(),
  variants: z.array(variantSchema),
  neighbours: z.int().min(0),
  slices: z.array(
    z.object({
      launch: z.int().min(0),
      round: z.int().min(0),
      variant: variantSchema,
      /** CPU time of the server inside the window. */
      cpuNs: z.number(),
      /** Answers as declared inside the window. */
      responses: z.int().min(0),
      windowNs: z.number().positive(),
    }),
  ),
});

/** All that a price run measured; its report is made from it alone. */
export type PriceRecord = z.infer<typeof priceRecordSchema>;

/** What a run on a price plan has measured so far, as far as its report needs it. */
export function priceRecordOf(run: RunRecord): PriceRecord {
  const { plan, startedAt, state, wallNs, machine } = run;
  const arranged = plan.cells.map(({ arrangement }): string => arrangement);
  const [[group] = []] = plan.launches;
  return {
    ...HEAD,
    startedAt,
    state,
    wallNs,
    machine,
    seed: plan.seed,
    launches: plan.launches.length,
    rounds: plan.rounds,
    sliceNs: Math.max(...plan.loads.map(({ sliceNs }) => sliceNs)),
    variants: VARIANTS.filter((each) => each === 'unverified' || arranged.includes(each)),
    neighbours: group?.idle.length ?? 0,
    slices: run.slices.map(({ cell, launch, round, measurement: { cpu, window, windowNs } }) => {
      const variant = variantOf(plan, launch, cell);
      const { cpuNs } = cpu.server;
      return { launch, round, variant, cpuNs, responses: window.ok, windowNs };
    }),
  };
}
