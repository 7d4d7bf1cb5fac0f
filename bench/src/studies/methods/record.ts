import { z } from 'zod';
import { type Machine, machineSchema } from '../../system/machine.ts';
import { ratiosSchema } from './ratios.ts';
import { METHODS } from './run-options.ts';

const SCHEMA = 'overhead.methods';
const VERSION = 3;

const measurementSchema = z.object({
  method: z.enum(METHODS),
  /** From 0. */
  repeat: z.int().min(0),
  /** What it took from the first start to the last stop, ns. */
  wallNs: z.number().min(0),
  /** Of CPU per request: null where nobody looked, and of requests/s. */
  ratios: z.object({ cpu: ratiosSchema.nullable(), throughput: ratiosSchema }),
});
/** What one method found, once. */
export type MethodMeasurement = z.infer<typeof measurementSchema>;

export const methodsRecordSchema = z.object({
  schema: z.literal(SCHEMA),
  version: z.literal(VERSION),
  startedAt: z.iso.datetime(),
  machine: machineSchema,
  seed: z.int(),
  /** How often each method was to be repeated. */
  repeats: z.int().min(0),
  /** The wall time that each measurement was to take, ns. */
  targetNs: z.number().positive(),
  measurements: z.array(measurementSchema),
});
/** What both methods found, each several times. */
export type MethodsRecord = z.infer<typeof methodsRecordSchema>;

/** A record that nothing is in yet. */
export function newMethodsRecord(
  parts: { machine: Machine; seed: number; repeats: number; targetNs: number },
  startedAt: Date,
): MethodsRecord {
  const head = { schema: SCHEMA, version: VERSION, startedAt: startedAt.toISOString() } as const;
  return { ...head, ...parts, measurements: [] };
}
