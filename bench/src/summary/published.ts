import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PUBLISHED } from '../base/places.ts';

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

/** What others published. */
export interface Published {
  source: string;
  cpu: string;
  results: PublishedResult[];
}

/** The published comparison of the frameworks, each as a single process. */
export function publishedFrameworks(): Published {
  const { source, environment, results } = frameworksSchema.parse(readPublished('frameworks'));
  const singles = results.map((result) => ({ ...result, topology: 'single' }));
  return { source, cpu: environment.cpu, results: singles };
}

/** The published comparison of one process and clusters. */
export function publishedClusters(): Published {
  const { source, environment, results } = clusterSchema.parse(readPublished('cluster'));
  const fibonacci = results.map((result) => ({ ...result, target: 'fib-cpu' }));
  return { source, cpu: environment.cpu, results: fibonacci };
}

/** What stands in the file of this name. */
export function readPublished(name: string): unknown {
  return JSON.parse(readFileSync(join(PUBLISHED, `${name}.json`), 'utf8'));
}
