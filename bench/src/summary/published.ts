import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PUBLISHED } from '../base/places.ts';
import type { RunSuite } from '../targets/targets.ts';

const frameworksSchema = z.object({
  source: z.string(),
  environment: z.object({ cpu: z.string() }),
  results: z.array(z.object({ target: z.string(), requestsPerSecond: z.number() })),
});

const clusterSchema = z.object({
  source: z.string(),
  environment: z.object({ cpu: z.string() }),
  results: z.array(z.object({ topology: z.string(), requestsPerSecond: z.number() })),
});

/** A throughput that others published: of a target as a single process, or of fib-cpu in a topology. */
export interface PublishedResult {
  target: string;
  topology: string;
  requestsPerSecond: number;
}

/** What others published for a suite. */
export interface Published {
  source: string;
  cpu: string;
  results: PublishedResult[];
}

/** Reads the published figures that a run can be compared with; null where there are none. */
export function readPublished(suite: RunSuite): Published | null {
  if (suite === 'truth' || suite === 'pm2-tax') return null;
  const content: unknown = JSON.parse(readFileSync(join(PUBLISHED, `${suite}.json`), 'utf8'));
  if (suite === 'frameworks') {
    const { source, environment, results } = frameworksSchema.parse(content);
    const singles = results.map((result) => ({ ...result, topology: 'single' }));
    return { source, cpu: environment.cpu, results: singles };
  }
  const { source, environment, results } = clusterSchema.parse(content);
  const fibonacci = results.map((result) => ({ ...result, target: 'fib-cpu' }));
  return { source, cpu: environment.cpu, results: fibonacci };
}
