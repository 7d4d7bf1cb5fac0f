import { z } from 'zod';
import { readPublished } from './published.ts';

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
