import { z } from 'zod';
import { type Machine, machineSchema } from '../../system/machine.ts';
import { ratiosSchema } from './ratios.ts';
import { METHODS } from './run-options.ts';

const HEAD = { schema: 'overhead.methods', version: 3 } as const;

const measurementSchema = z.object({
  method: z.enum(METHODS),
  /** From 0. */
  repeat: z.int().min(0),
  /** From the first start to the last stop, ns. */
  wallNs: z.number().min(0),
  /** Of CPU per request, null if it was not measured, and of requests/s. */
  ratios: z.object({ cpu: ratiosSchema.nullable(), throughput: ratiosSchema }),
});
/** The result of one repeat of one method. */
export type MethodMeasurement = z.infer<typeof measurementSchema>;

export const methodsRecordSchema = z.object({
  schema: z.literal(HEAD.schema),
  version: z.literal(HEAD.version),
  startedAt: z.iso.datetime(),
  machine: machineSchema,
  seed: z.int(),
  /** How often each method was to be repeated. */
  repeats: z.int().min(0),
  /** The wall time planned for each measurement, ns. */
  targetNs: z.number().positive(),
  measurements: z.array(measurementSchema),
});
/** The results of both methods, each repeated several times. */
export type MethodsRecord = z.infer<typeof methodsRecordSchema>;

/** An empty record. */
export function newMethodsRecord(
  parts: { machine: Machine; seed: number; repeats: number; targetNs: number },
  startedAt: Date,
): MethodsRecord {
  return { ...HEAD, startedAt: startedAt.toISOString(), ...parts, measurements: [] };
}
