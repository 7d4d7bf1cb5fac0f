import { z } from 'zod';
import { CPU, PEAK, sidesOf, slicesOf } from '../figures/figures.ts';
import type { Time } from '../figures/latency.ts';
import { type Estimate, ratio } from '../math/statistics.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import type { Condition } from './conditions.ts';
import { GO_VIPS, PHP, SERVED } from './image-names.ts';
import { type ImageRate, latencyAt } from './image-rates.ts';
import { readPublished } from './published.ts';

const figures = { latencyMax: z.number(), cpuMax: z.number(), memoryMax: z.number() };
const inProduction = {
  latencyAverage: z.number(),
  latencyP50: z.number(),
  latencyP75: z.number(),
  latencyP99: z.number(),
  vCPU: z.number(),
  memoryGiB: z.number(),
};
const target = z.enum([PHP, GO_VIPS]);
const imageSchema = z.object({
  source: z.string(),
  units: z.object({ latency: z.literal('ms'), memory: z.literal('MiB'), cpu: z.literal('cores') }),
  results: z.array(
    z.discriminatedUnion('test', [
      z.object({ test: z.literal('second'), target, ...figures }),
      z.object({ test: z.literal('production'), target, ...inProduction }),
    ]),
  ),
  claims: z.array(z.string()),
});

/** PHP over Go with libvips, in every published figure that has a counterpart here. */
export interface PublishedImageTable {
  source: string;
  claims: string[];
  php: Target;
  go: Target;
  rows: PublishedImageRow[];
}

export interface PublishedImageRow {
  /** What was published. */
  what: string;
  test: 'second test' | 'production';
  published: number;
  /** What it is held against here. */
  against: string;
  measured: Estimate;
}

/** PHP beside Go as published and here; null where one of them was not measured at its limit. */
export function comparePublishedImage(
  record: RunRecord,
  limit: Condition,
  rates: readonly ImageRate[],
): PublishedImageTable | null {
  const [php, go] = [PHP, GO_VIPS].map((name) => {
    return limit.cells.find((each) => each.target.name === name);
  });
  if (php?.outcome.state !== 'measured' || go?.outcome.state !== 'measured') return null;
  const { source, claims, results } = imageSchema.parse(readPublished('image'));
  const [phpSlices, goSlices] = [php, go].map(({ cell }) => slicesOf(record, cell));
  const [own, others] = [phpSlices ?? [], goSlices ?? []];
  const cpu = {
    against: 'CPU of an image',
    measured: ratio(sidesOf(own, others, CPU)),
  };
  const memory = {
    against: 'peak memory',
    measured: ratio(sidesOf(own, others, PEAK)),
  };
  const timesOf = (name: string) => latencyAt(rates, SERVED, name);
  const latency = (which: 'mean' | 'p50', against: string) => ({
    against,
    measured: timesRatio(timesOf(PHP)?.[which], timesOf(GO_VIPS)?.[which]),
  });
  const second = publishedSides(results, 'second');
  const production = publishedSides(results, 'production');
  const rows: PublishedImageRow[] = [
    { ...SECOND, what: 'most CPU', published: second((each) => each.cpuMax), ...cpu },
    { ...SECOND, what: 'most memory', published: second((each) => each.memoryMax), ...memory },
    { ...PRODUCTION, what: 'CPU', published: production((each) => each.vCPU), ...cpu },
    { ...PRODUCTION, what: 'memory', published: production((each) => each.memoryGiB), ...memory },
    {
      ...{ ...PRODUCTION, what: 'average latency', ...latency('mean', 'mean latency') },
      published: production((each) => each.latencyAverage),
    },
    {
      ...{ ...PRODUCTION, what: 'p50', ...latency('p50', 'p50') },
      published: production((each) => each.latencyP50),
    },
  ];
  return { source, claims, php: php.target, go: go.target, rows };
}

const SECOND = { test: 'second test' } as const;
const PRODUCTION = { test: 'production' } as const;

type Result = z.infer<typeof imageSchema>['results'][number];
type Of<Test> = Extract<Result, { test: Test }>;

/** How a figure of PHP stands to that of Go in one of the published tests. @throws where one is not in the file. */
function publishedSides<Test extends Result['test']>(results: readonly Result[], test: Test) {
  const isOf = (each: Result): each is Of<Test> => each.test === test;
  const own = results.filter(isOf);
  const [php, go] = [PHP, GO_VIPS].map((name) => own.find((each) => each.target === name));
  if (php === undefined || go === undefined) throw new Error(`no published ${test} of both sides`);
  return (figure: (result: Of<Test>) => number) => figure(php) / figure(go);
}

/** One time over another, where both are known. */
function timesRatio(one: Time | undefined, other: Time | undefined): Estimate {
  if (one?.kind !== 'known' || other?.kind !== 'known' || other.ns === 0) return { kind: 'none' };
  return { kind: 'point', value: one.ns / other.ns };
}
