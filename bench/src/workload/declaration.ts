/** A workload: a folder of targets, and what is asked of them, as its `workload.json` declares it. */
import { z } from 'zod';
import { CLUSTER_KINDS } from '../request/option-values.ts';

const text = z.string().min(1);
/** Part of the names of cells and files. */
const name = z.string().regex(/^[\w.][\w.-]*$/, 'expected letters, digits, "_", "." and "-"');
/** A target, or its copy under a limit: `app@cpu-0.5`. */
const targetName = z.string().regex(/^[\w.][\w.@-]*$/, 'expected the name of a target');
const seconds = z.number().positive();
const count = z.int().min(1);

const oneSelector = z.strictObject({
  names: z.array(name).optional(),
  except: z.array(name).optional(),
  /** Only variants, or only targets that are none. */
  variants: z.boolean().optional(),
  /** Variants of these. */
  variantsOf: z.array(name).optional(),
  /** Targets whose first request is for this path. */
  path: text.optional(),
  /** Targets that scale in this way. */
  scale: z.enum(['processes', 'threads', 'reuse-port']).optional(),
});
export type Conditions = z.infer<typeof oneSelector>;
/** Targets that meet every condition; of a list, any of these. */
const selector = z.union([oneSelector, z.array(oneSelector).min(1)]);
export type Selector = z.infer<typeof selector>;

const size = z.union([z.literal('max'), count]);
/** The name of a topology of several processes. */
const TOPOLOGY = new RegExp(`^((${CLUSTER_KINDS.join('|')}):)?(max|\\d+)$`);
const topology = z.union([
  z.literal(['single', 'fork']),
  size,
  z.templateLiteral([z.literal(CLUSTER_KINDS), ':', size]),
]);
const topologies = z.array(topology).min(1);

const amounts = z.strictObject({
  topologies,
  connections: count,
  pipelining: count,
  durationS: seconds,
  sliceS: seconds,
  launches: count,
  warmupS: z.number().min(0),
});

/** What an option measures in place of what is usual. */
const preset = z.strictObject({ amounts: amounts.partial(), targets: selector.default({}) });
/** The literal load: each server has it unbroken, in one launch. */
const literal = z.strictObject({
  ...preset.shape,
  amounts: amounts.partial().extend({
    /** What sends requests at a rate. */
    driver: text.exactOptional(),
    /** The warm-up is at this rate for `warmupS`, whether servers settle or not: requests/s, and the most under way. */
    warmupRate: z.strictObject({ perS: z.number().positive(), connections: count }).exactOptional(),
  }),
});

const placement = z.strictObject({
  /** As plain processes, in all other topologies, in every one, or in the one of this name. */
  on: z.union([z.enum(['single', 'others', 'all']), z.string().regex(TOPOLOGY)]).default('all'),
  /** Every target where nothing is said. */
  targets: selector.default({}),
  /** Only in a run that has no other topologies. */
  unlessOthers: z.literal(true).optional(),
});

const loadFacts = {
  id: name,
  placements: z
    .array(placement)
    .min(1)
    .default([{ on: 'all', targets: {} }]),
  /** Its measured time over that of a load without this, and its most. */
  time: z
    .strictObject({
      share: z.number().positive().default(1),
      atMostS: seconds.optional(),
      /** In one slice a launch, rather than one in each round. */
      oncePerLaunch: z.boolean().default(false),
    })
    .optional(),
  /** Servers are started for it alone. */
  freshProcesses: z.boolean().default(false),
  /** It is left out of a run with --contiguous. */
  slicedOnly: z.boolean().default(false),
};

const closedLoad = z.strictObject({
  kind: z.literal('closed'),
  ...loadFacts,
  /** As in "CPU of a request at their limit"; `{connections}` stands for their number. */
  label: text,
  headline: z.enum(['throughput', 'cpu']).default('throughput'),
  /** As -c says where nothing is said. */
  connections: count.optional(),
  /** One load for each of these numbers of connections up to that of -c, and for that one. */
  levels: z.array(count).min(1).optional(),
  /** Where the levels above the first one are put on. */
  higherPlacements: z.array(placement).min(1).optional(),
  /** As -p says where nothing is said. */
  pipelining: count.optional(),
  /** Interleaved like the cost load: all of a launch in one slice, the generator's turns 2 ms apart. */
  likeCostLoad: z.boolean().default(false),
  /** Every request is waited for, however long it takes. */
  waitForAll: z.boolean().default(false),
  /** Each slice, and each turn, begins and ends with an idle server. */
  drainBetweenSlices: z.boolean().default(false),
  timeoutS: seconds.optional(),
  /** The time-out is at least so long for each connection. */
  timeoutPerConnectionS: seconds.optional(),
  /** Servers have turns of this length in random order; a slice is taken in one go without. */
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
    /** The highest rate at which no server is busy for more than this share of the time. */
    z.strictObject({ busyAtMost: z.number().positive().lt(1) }),
  ]),
  /** The most requests under way. */
  maxInFlight: count,
  /** As --driver says where nothing is said. */
  driver: text.optional(),
});

const load = z.discriminatedUnion('kind', [closedLoad, openLoad]);
export type DeclaredLoad = z.infer<typeof load>;
export type DeclaredClosedLoad = z.infer<typeof closedLoad>;
export type DeclaredOpenLoad = z.infer<typeof openLoad>;
export type Placement = z.infer<typeof placement>;

/** Figures of a cell that can be shown, compared, and held against published ones. */
export const FIGURE_NAMES = [
  ...(['throughput', 'cpu', 'mean', 'min', 'p50', 'p75', 'p95', 'p99', 'max'] as const),
  ...(['peak memory', 'memory', 'memory at start'] as const),
] as const;

/** What else can be compared, and held against what was published. */
export const JUDGED_NAMES = [
  ...FIGURE_NAMES,
  /** Of the requests that were answered alone: what becomes of the others is left out. */
  'mean of answers',
  /** Time that the server waited for a core, for each answer. */
  'waiting',
  /** Switches away from a thread of the server that had to wait, or that was made to; page faults; for each answer. */
  ...(['voluntary switches', 'involuntary switches', 'page faults'] as const),
  /** Sent, read and gone wrong in so many seconds as the value says, or in one. */
  ...(['requests', 'bytes', 'errors'] as const),
  /** Of the requests sent, those without a right answer. */
  'error share',
] as const;
export type JudgedName = (typeof JUDGED_NAMES)[number];

/** What else a column can show. */
const COLUMN_NAMES = [...FIGURE_NAMES, 'services', 'busy', 'answered', 'PSS'] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

const cellRef = {
  target: targetName,
  load: name.optional(),
  /**
   * `single`, `max`, a number or `widest`, the most processes; of several the first that was measured. The plain
   * process, or else the first there is, where nothing is said.
   */
  topology: z.union([text, z.array(text).min(1)]).optional(),
};
const comparison = z.strictObject({
  id: name,
  /** What is compared, in words; the names of both sides where nothing is said. */
  label: text.optional(),
  figure: z.enum(JUDGED_NAMES),
  /** Whose CPU time: the server's, that of a service, or `total` for both together. */
  role: text.default('server'),
  /** Of both sides where they say nothing else. */
  load: name.optional(),
  topology: cellRef.topology,
  of: z.union([name, z.strictObject(cellRef)]),
  over: z.union([name, z.strictObject(cellRef)]),
  /** The ratio that was published. */
  published: z.number().positive().optional(),
  /** It is not measured on a machine with fewer cores. */
  cores: count.optional(),
});
export type DeclaredComparison = z.infer<typeof comparison>;

const range = z.tuple([z.number().min(0), z.number().positive()]);

/** What has to be true for a claim to hold. */
export type Test =
  /** A ratio is above 1, below it, as good as 1, or within a range. */
  | { compare: string; expect: 'more' | 'less' | 'same' | [number, number] }
  /** A value, in its figure's unit, is within a range. */
  | { value: string; expect: [number, number] }
  /** One ratio is further from 1 than another, whichever way. */
  | { effect: string; greaterThan: string }
  | { all: Test[] }
  /** The first of several that can be told. */
  | { first: Test[] }
  /** It can't be measured here: what it takes. */
  | { needs: string };
const test: z.ZodType<Test> = z.lazy(() =>
  z.union([
    z.strictObject({ compare: name, expect: z.union([z.enum(['more', 'less', 'same']), range]) }),
    z.strictObject({ value: name, expect: range }),
    z.strictObject({ effect: name, greaterThan: name }),
    z.strictObject({ all: z.array(test).min(1) }),
    z.strictObject({ first: z.array(test).min(1) }),
    z.strictObject({ needs: text }),
  ]),
);

const claim = z.strictObject({
  /** As it stands in tables. */
  label: text,
  /** As it was published. */
  claim: text,
  test,
  /** Why it is judged so. */
  because: text.optional(),
});

const publishedValue = z.strictObject({
  ...cellRef,
  /** What a test calls it. */
  id: name.optional(),
  load: name,
  figure: z.enum(JUDGED_NAMES),
  /** In the unit of the figure: requests/s, µs, ms, MB, %. */
  value: z.number().min(0),
  /** Of a total: the seconds that it is of; ours is scaled to as many. */
  inS: seconds.optional(),
});
export type DeclaredValue = z.infer<typeof publishedValue>;

const published = z.strictObject({
  source: text,
  /** What it was measured on. */
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
  /** What a request costs each server that is no variant, by role, beside one of them. */
  z.strictObject({ table: z.literal('over'), load: name, base: name }),
  /** What variants change, taken apart. */
  z.strictObject({ table: z.literal('changes'), load: name }),
  /** What each variant adds to the one below it, in several targets whose variants are called alike. */
  z.strictObject({
    table: z.literal('layers'),
    /** What the lowest ones serve. */
    lowest: text,
    /** A variant with something of the floor's in place of what targets have of their own. */
    swap: z.strictObject({ variant: text, own: text }).optional(),
  }),
  z.strictObject({ table: z.literal('rates'), loads: z.array(name).min(1) }),
  z.strictObject({ table: z.literal('conditions'), loads: z.array(name).min(1) }),
  z.strictObject({ table: z.literal('runtimes') }),
  z.strictObject({ table: z.literal('claims'), ...note }),
]);
export type DeclaredTable = z.infer<typeof table>;

const judgements = {
  comparisons: z.array(comparison).default([]),
  published: published.optional(),
  claims: z.array(claim).default([]),
};
/** What a run is compared by, what was published of it, and what was claimed. */
export const judgementSchema = z.strictObject(judgements);
export type Judgements = z.infer<typeof judgementSchema>;

export const workloadSchema = z.strictObject({
  $schema: text.optional(),
  title: text,
  question: text,
  /** What one request is called, and the unit of its CPU time. */
  unit: z
    .strictObject({ one: text, many: text, cpu: z.enum(['µs', 'ms']) })
    .default({ one: 'request', many: 'requests', cpu: 'µs' }),
  /** A target with several requests becomes one for each. */
  splitByRequest: z.boolean().default(false),
  /** A target whose base is left out stands on the nearest one below it. */
  bridgeGaps: z.boolean().default(false),
  targets: selector.default({}),
  amounts,
  /** With --quick, in place of the above. */
  quick: preset,
  /** With --as-published, in place of the above. */
  asPublished: literal.optional(),
  /** Those of the targets that are measured where none are named. */
  usualTargets: selector.default({}),
  /** Options without a meaning here. */
  withoutOptions: z.array(text).default([]),
  loads: z.array(load).min(1),
  /** Figures of answers, from the commands that check them: of several requests their mean or least. */
  checked: z
    .record(
      name,
      z.strictObject({
        head: text,
        of: z.enum(['mean', 'least']),
        per: z.number().positive().default(1),
      }),
    )
    .default({}),
  show: z.array(table).min(1),
  ...judgements,
});
/** What a workload asks, of whom and how, and what it shows of it: saved in each of its records. */
export type Workload = z.infer<typeof workloadSchema>;

export type Preset = Workload['quick'] | NonNullable<Workload['asPublished']>;

/** The comparisons that a test goes by. */
export function comparisonsOf(test: Test): string[] {
  if ('compare' in test) return [test.compare];
  if ('effect' in test) return [test.effect, test.greaterThan];
  if ('all' in test) return test.all.flatMap(comparisonsOf);
  return 'first' in test ? test.first.flatMap(comparisonsOf) : [];
}

/** The id of the load that a declared one with levels becomes at one of them. */
export function levelId(id: string, connections: number): string {
  return `${id}-${connections}`;
}

/** Whether a load of a run is the declared one of this id, or one of its levels. */
export function isOfLoad(id: string, declared: string): boolean {
  return (
    id === declared ||
    (id.startsWith(`${declared}-`) && /^\d+$/.test(id.slice(declared.length + 1)))
  );
}
