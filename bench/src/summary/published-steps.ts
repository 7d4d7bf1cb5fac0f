import { z } from 'zod';
import { readPublished } from './published.ts';

const stepSchema = z.object({
  step: z.int(),
  /** Which target is the one of each language, as it was at that step. */
  targets: z.object({ nest: z.string(), gin: z.string() }),
  /** What was said of the CPU time of the one beside the other. */
  ginBesideNest: z.enum(['more', 'closer', 'same']),
});

const bidderSchema = z.object({
  source: z.string(),
  environment: z.object({ cpu: z.string() }),
  steps: z.array(stepSchema),
  results: z.array(
    z.object({
      step: z.int(),
      target: z.enum(['nest', 'gin']),
      /** MB. */
      memoryAtStart: z.number(),
      memoryUnderLoad: z.number(),
    }),
  ),
});
/** The published comparison of a bidder in two languages, step by step. */
export type PublishedSteps = z.infer<typeof bidderSchema>;

/** What was published of the bidder. */
export function publishedSteps(): PublishedSteps {
  return bidderSchema.parse(readPublished('bidder'));
}
