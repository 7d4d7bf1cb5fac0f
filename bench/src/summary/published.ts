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

const boardSideSchema = z.object({ requestsPerSecond: z.number(), memoryPeak: z.number() });
const boardSchema = z.object({
  source: z.string(),
  environment: z.object({ cpu: z.string() }),
  units: z.object({ throughput: z.literal('requests/s'), memoryPeak: z.literal('MB') }),
  results: z.array(
    z.object({
      path: z.enum(['home', 'latest']),
      connections: z.int(),
      go: boardSideSchema,
      bun: boardSideSchema,
    }),
  ),
  claims: z.array(z.string()),
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

/** What was published of one of the two. */
export interface BoardSide {
  requestsPerSecond: number;
  peakBytes: number;
}

/** What was published of a message board in Go and in Bun. */
export interface PublishedBoard {
  source: string;
  cpu: string;
  results: { path: `/${string}`; connections: number; go: BoardSide; bun: BoardSide }[];
  claims: string[];
}

/** The published comparison of a message board in Go and in Bun. */
export function publishedBoard(): PublishedBoard {
  const { source, environment, results, claims } = boardSchema.parse(readPublished('board'));
  const sideOf = ({ requestsPerSecond, memoryPeak }: z.infer<typeof boardSideSchema>) => {
    return { requestsPerSecond, peakBytes: memoryPeak * 1e6 };
  };
  return {
    ...{ source, claims, cpu: environment.cpu },
    results: results.map(({ path, connections, go, bun }) => {
      return { path: `/${path}`, connections, go: sideOf(go), bun: sideOf(bun) };
    }),
  };
}

function readPublished(name: string): unknown {
  return JSON.parse(readFileSync(join(PUBLISHED, `${name}.json`), 'utf8'));
}
