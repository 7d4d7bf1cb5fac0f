import { z } from 'zod';
import { DRIVER_NAMES, type TopologyName, topologyNameSchema } from './option-values.ts';

const seconds = z.number().positive();
const count = z.int().min(1);

/** How much is measured; times are in seconds, as the user gives them. */
export const amountsSchema = z.strictObject({
  topologies: z.array(topologyNameSchema).min(1),
  connections: count,
  pipelining: count,
  /** Of measurement of each cell: in all launches together if it is sliced, otherwise in each. */
  durationS: seconds,
  sliceS: seconds,
  launches: count,
  /** The longest warm-up after a start; it ends earlier once the server has settled. */
  warmupS: z.number().min(0),
});
export type Amounts = z.infer<typeof amountsSchema>;

/** How a load is sent where a kind of run has its own way. */
export const sendingSchema = z.strictObject({
  /** What sends requests at a rate, if not the usual driver. */
  driver: z.enum(DRIVER_NAMES).exactOptional(),
  /** Requests/s, and the most under way, of a warm-up that takes `warmupS` whether servers settle or not. */
  warmupRate: z.strictObject({ perS: z.number().positive(), connections: count }).exactOptional(),
});

export interface Defaults extends Amounts, z.infer<typeof sendingSchema> {
  /** The longest time of a run that goes on until every row has its verdict, s. */
  maxTimeS?: number;
}

/** The topologies of a run or a verification by default. */
export const ALL_TOPOLOGIES: TopologyName[] = ['single', 'max', 2];
/**
 * The fewest launches with `--until`. If few launches agree by chance, their interval is too narrow, and to stop just
 * then makes 95 % intervals cover less often. The stopping rule is only right for many launches (Chow and Robbins
 * 1965), and needs a minimum (Starr 1966). In 10,000 simulated runs of two servers, the interval covered in 90.0 % when
 * runs could stop after 3 launches at ±1 %; in the worst case found, ±0.75 %, 93.6 % after 12 and 94.2 % after 16.
 */
export const FEWEST_UNTIL = 16;
