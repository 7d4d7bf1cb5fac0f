/** A workload: a folder of targets with a `workload.json`, which declares how they are measured and shown. */
import { z } from 'zod';
import { amountsSchema, sendingSchema } from '../request/amounts.ts';
import { CLUSTER_KINDS, DRIVER_NAMES } from '../request/option-values.ts';

const text = z.string().min(1);
/** Part of the names of cells and files. */
const name = z.string().regex(/^[\w.][\w.-]*$/, 'expected letters, digits, "_", "." and "-"');
/** A target, or its copy under a limit, as in `app@cpu-0.5`. */
const targetName = z.string().regex(/^[\w.][\w.@-]*$/, 'expected the name of a target');
const seconds = z.number().positive();
const count = z.int().min(1);

const oneSelector = z.strictObject({
  names: z.array(name).optional(),
  except: z.array(name).optional(),
  /** Only variants, or only targets that are none. */
  variants: z.boolean().optional(),
  variantsOf: z.array(name).optional(),
  /** Targets whose first request is for this path. */
  path: text.optional(),
  scale: z.enum(['processes', 'threads', 'reuse-port']).optional(),
});
/** Targets that meet every condition, or those of any selector in a list. */
const selector = z.union([oneSelector, z.array(oneSelector).min(1)]);
export type Selector = z.infer<typeof selector>;

const TOPOLOGY = new RegExp(`^((${CLUSTER_KINDS.join('|')}):)?(max|\\d+)$`);

/** What an option changes. */
const preset = z.strictObject({
  amounts: amountsSchema.partial(),
  targets: selector.default({}),
  /** All by default. */
  loads: z.array(name).min(1).optional(),
});
/** The literal published load: contiguous for each server, in one launch. */
const literal = preset.extend({ amounts: amountsSchema.partial().extend(sendingSchema.shape) });

const placement = z.strictObject({
  /** Plain processes, all other topologies, all, or the one with this name. */
  on: z.union([z.enum(['single', 'others', 'all']), z.string().regex(TOPOLOGY)]).default('all'),
  targets: selector.default({}),
  /** Only in a run without other topologies. */
  unlessOthers: z.literal(true).optional(),
});

const placements = z.array(placement).min(1);

const loadFacts = {
  id: name,
  placements: placements.default([{ on: 'all', targets: {} }]),
  /** Its measured time over that of other loads, and the most of it. */
  time: z
    .strictObject({
      share: z.number().positive().default(1),
      atMostS: seconds.optional(),
      /** In one slice a launch, not in each round. */
      oncePerLaunch: z.boolean().default(false),
    })
    .optional(),
  /** Servers are started for this load alone. */
  freshProcesses: z.boolean().default(false),
  /** It is left out of a run with --contiguous. */
  slicedOnly: z.boolean().default(false),
};

const closedLoad = z.strictObject({
  kind: z.literal('closed'),
  ...loadFacts,
  /** As in "CPU of a request at their limit"; `{connections}` is replaced by their number. */
  label: text,
  headline: z.enum(['throughput', 'cpu']).default('throughput'),
  /** -c by default. */
  connections: count.optional(),
  /** One load for each of these numbers of connections that is below -c, and one for -c. */
  levels: z.array(count).min(1).optional(),
  /** The placements of all levels but the first. */
  higherPlacements: placements.optional(),
  /** -p by default. */
  pipelining: count.optional(),
  /** Interleaved like the cost load: one slice a launch, with generator turns of 2 ms. */
  likeCostLoad: z.boolean().default(false),
  /** Every request is waited for, however long it takes. */
  waitForAll: z.boolean().default(false),
  /** Each slice, and each turn, begins and ends with an idle server. */
  drainBetweenSlices: z.boolean().default(false),
  timeoutS: seconds.optional(),
  /** The least time-out, for each connection. */
  timeoutPerConnectionS: seconds.optional(),
  /** Servers have turns of this length in random order; without it a slice is taken in one go. */
  turnS: z.number().min(0.001).optional(),
});

const openLoad = z.strictObject({
  kind: z.literal('open'),
  ...loadFacts,
  rate: z.union([
    /** Requests/s. */
    z.number().positive(),
    /** A share of what the slowest server answers at its limit. */
    z.strictObject({ ofSlowest: z.number().positive().max(100) }),
    /** The highest rate at which no server is busy for more than this share of time. */
    z.strictObject({ busyAtMost: z.number().positive().lt(1) }),
  ]),
  maxInFlight: count,
  /** --driver by default. */
  driver: z.enum(DRIVER_NAMES).optional(),
});

const load = z.discriminatedUnion('kind', [closedLoad, openLoad]);
export type DeclaredLoad<Kind = 'closed' | 'open'> = Extract<z.infer<typeof load>, { kind: Kind }>;
export type Placement = z.infer<typeof placement>;

/** Figures of a cell that can be shown and compared, also with published ones. */
const FIGURE_NAMES = [
  ...(['throughput', 'cpu', 'mean', 'min', 'p50', 'p75', 'p95', 'p99', 'max'] as const),
  ...(['peak memory', 'memory', 'memory at start'] as const),
] as const;

const JUDGED_NAMES = [
  ...FIGURE_NAMES,
  /** Of answered requests only. */
  'mean of answers',
  /** Time that the server waited for a core, per answer. */
  'waiting',
  /** Context switches of the server's threads, and page faults, per answer. */
  ...(['voluntary switches', 'involuntary switches', 'page faults'] as const),
  /** Sent, read and failed, in as many seconds as the value says, or in one. */
  ...(['requests', 'bytes', 'errors'] as const),
  /** The share of requests sent that had no right answer. */
  'error share',
] as const;
export type JudgedName = (typeof JUDGED_NAMES)[number];

const COLUMN_NAMES = [...FIGURE_NAMES, 'services', 'busy', 'answered', 'PSS'] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

const cellRef = {
  target: targetName,
  load: name.optional(),
  /** `single`, `max`, a number, `widest` (most processes), or the first measured of a list; by default the plainest. */
  topology: z.union([text, z.array(text).min(1)]).optional(),
};
const comparison = z.strictObject({
  id: name,
  /** What is compared, in words; the names of both sides by default. */
  label: text.optional(),
  figure: z.enum(JUDGED_NAMES),
  /** Whose CPU time: the server's, a service's, or `total` for both. */
  role: text.default('server'),
  /** The defaults of both sides. */
  load: name.optional(),
  topology: cellRef.topology,
  of: z.union([name, z.strictObject(cellRef)]),
  over: z.union([name, z.strictObject(cellRef)]),
  published: z.number().positive().optional(),
  /** It needs a machine with so many cores. */
  cores: count.optional(),
});
export type DeclaredComparison = z.infer<typeof comparison>;

const range = z.tuple([z.number().min(0), z.number().positive()]);

const test = z.union([
  /** A ratio is above 1, below it, as good as 1, or within a range. */
  z.strictObject({ compare: name, expect: z.union([z.enum(['more', 'less', 'same']), range]) }),
  /** A value, in its figure's unit, is within a range. */
  z.strictObject({ value: name, expect: range }),
  /** One ratio is further from 1 than another, in either direction. */
  z.strictObject({ effect: name, greaterThan: name }),
  z.strictObject({
    get all() {
      return z.array(test).min(1);
    },
  }),
  /** The first of several that has an outcome. */
  z.strictObject({
    get first() {
      return z.array(test).min(1);
    },
  }),
  /** It can't be measured here; this is what it would need. */
  z.strictObject({ needs: text }),
]);
export type Test = z.infer<typeof test>;

const claim = z.strictObject({
  label: text,
  claim: text,
  test,
  because: text.optional(),
});

const publishedValue = z.strictObject({
  ...cellRef,
  /** Its name in tests. */
  id: name.optional(),
  load: name,
  figure: z.enum(JUDGED_NAMES),
  /** In the unit of the figure: requests/s, µs, ms, MB, %. */
  value: z.number().min(0),
  /** For a total, the seconds that it covers; ours is scaled to as many. */
  inS: seconds.optional(),
});
export type DeclaredValue = z.infer<typeof publishedValue>;

const published = z.strictObject({
  source: text,
  machine: text,
  values: z.array(publishedValue).default([]),
});

const note = { note: text.optional() };
const table = z.discriminatedUnion('table', [
  /** Every server in every topology under each of these loads. */
  z.strictObject({
    table: z.literal('levels'),
    loads: z.array(name).min(1),
    columns: z.array(z.union([z.enum(COLUMN_NAMES), z.strictObject({ checked: name })])).min(1),
    ...note,
  }),
  /** What a request costs each server that is no variant, by role, compared with one of them. */
  z.strictObject({ table: z.literal('over'), load: name, base: name }),
  /** What variants change, one change at a time. */
  z.strictObject({ table: z.literal('changes'), load: name }),
  /** What each variant adds to the one below it, in targets whose variants have the same names. */
  z.strictObject({
    table: z.literal('layers'),
    /** What the lowest layer serves. */
    lowest: text,
    /** A variant with a part of the floor in place of the target's own. */
    swap: z.strictObject({ variant: text, own: text }).optional(),
  }),
  z.strictObject({ table: z.literal('rates'), loads: z.array(name).min(1) }),
  z.strictObject({ table: z.literal('conditions'), loads: z.array(name).min(1) }),
  z.strictObject({ table: z.literal('runtimes') }),
  z.strictObject({ table: z.literal('claims'), ...note }),
]);
export type DeclaredTable = z.infer<typeof table>;

export const judgementSchema = z.strictObject({
  comparisons: z.array(comparison).default([]),
  published: published.optional(),
  claims: z.array(claim).default([]),
});
export type Judgements = z.infer<typeof judgementSchema>;

const checkedFigure = z.strictObject({
  head: text,
  of: z.enum(['mean', 'least']),
  per: z.number().positive().default(1),
});

export const workloadSchema = z.strictObject({
  $schema: text.optional(),
  title: text,
  question: text,
  /** What a request is called, and the unit of its CPU time. */
  unit: z
    .strictObject({ one: text, many: text, cpu: z.enum(['µs', 'ms']) })
    .default({ one: 'request', many: 'requests', cpu: 'µs' }),
  /** A target with several requests becomes one target for each. */
  splitByRequest: z.boolean().default(false),
  /** A target whose base is left out is built on the nearest one below it. */
  bridgeGaps: z.boolean().default(false),
  targets: selector.default({}),
  amounts: amountsSchema,
  /** Replaces these with --quick. */
  quick: preset,
  /** Replaces these with --as-published. */
  asPublished: literal.optional(),
  /** The targets that are measured if none are named. */
  usualTargets: selector.default({}),
  /** Options that have no meaning here. */
  withoutOptions: z.array(text).default([]),
  loads: z.array(load).min(1),
  /** Figures of answers, from the commands that check them; for several requests the mean or the least. */
  checked: z.record(name, checkedFigure).default({}),
  show: z.array(table).min(1),
  ...judgementSchema.shape,
});
/** The declaration of a workload, which is saved in each of its records. */
export type Workload = z.infer<typeof workloadSchema>;

export type Preset = Workload['quick'] | NonNullable<Workload['asPublished']>;

export function comparisonsOf(test: Test): string[] {
  if ('compare' in test) return [test.compare];
  if ('effect' in test) return [test.effect, test.greaterThan];
  if ('all' in test) return test.all.flatMap(comparisonsOf);
  return 'first' in test ? test.first.flatMap(comparisonsOf) : [];
}

/** Whether a load of a run is the declared one of this id, or one of its levels. */
export function isOfLoad(id: string, declared: string): boolean {
  return id.startsWith(declared) && /^(-\d+)?$/.test(id.slice(declared.length));
}
