/** What the given options mean for a run. */
import type { Amounts, Defaults } from './amounts.ts';
import { share } from './option-values.ts';
import { MIN_SLICE_S, OPTION_NAMES, OPTIONS, type OptionName } from './options.ts';

type ValueOf<Spec> = Spec extends { parse: (...args: never[]) => infer Value }
  ? Value
  : Spec extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Spec extends { flags: `${string}<${string}` }
      ? string
      : boolean;

/** The values of the options that were given. One without a value is true, or false if it begins with `--no-`. */
export type GivenOptions = { [Name in OptionName]?: ValueOf<(typeof OPTIONS)[Name]> };
/** Options that have no effect, with the reason. */
export type Reasons = Partial<Record<OptionName, string>>;

/** A kind of run, as far as its options go. */
export interface RunKind {
  /** Its name in records, their files and reports. */
  name: string;
  defaults(given: GivenOptions): Defaults;
  /** Whether -d is always the length of something unbroken in each launch. */
  isUnbroken?: true;
  /** Whether it takes profiles without being asked. */
  profiles?: true;
  /** Options that need another one elsewhere, but not here. */
  standalone?: readonly OptionName[];
  /** Options that have no effect here, with these options. */
  refused?(given: GivenOptions): Reasons;
}

type Refuse = (what: string) => never;

export type RunOptions = ReturnType<typeof runOptions>;

/** What is given, or else the defaults of the kind and this seed. Refuses options that contradict each other. */
export function runOptions(kind: RunKind, given: GivenOptions, seed: number, refuse: Refuse) {
  refuseConflicts(kind, given, refuse);
  const defaults = kind.defaults(given);
  const contiguous = given.contiguous === true || given.asPublished === true;
  const isUnbroken = contiguous || kind.isUnbroken;
  const usualLaunches = contiguous ? 1 : defaults.launches;
  const amounts = slicedAmounts({ ...defaults, launches: usualLaunches }, given);
  const { durationS, launches, sliceS } = amounts;
  const leastS = Math.max(sliceS, MIN_SLICE_S);
  if (!isUnbroken && durationS < leastS * launches * 0.999) {
    // Without the noise digits of binary fractions.
    const enough = Number((leastS * launches).toPrecision(12));
    refuse(
      `-d ${durationS} is too short for ${launches} launches with a slice of at least ${leastS} s each; ` +
        `raise -d to ${enough} or lower --launches or --slice`,
    );
  }
  return {
    topologies: given.topology ?? defaults.topologies,
    /** CPU limits under which every target runs, in cores; empty without limits. */
    cpuLimits: given.cpuLimit ?? [],
    /** Memory limits under which every target runs, in bytes; empty without limits. */
    memoryLimits: given.memoryLimit ?? [],
    unpinned: given.unpinned === true,
    /** Requests at these rates in an open loop; null for closed loops. */
    rates: given.rate ?? null,
    p99Ns: given.p99 === undefined ? null : given.p99 * 1e6,
    driver: given.driver ?? defaults.driver ?? OPTIONS.driver.usual,
    /** Other machines that send the load; empty if this one does. */
    generatorHosts: given.generatorHosts ?? [],
    warmupRate: defaults.warmupRate ?? null,
    connections: given.connections ?? defaults.connections,
    pipelining: given.pipelining ?? defaults.pipelining,
    ...amounts,
    sliceS: isUnbroken ? durationS : sliceS,
    contiguous,
    equivalence: given.equivalence ?? share(OPTIONS.equivalence.usual),
    until: untilOf(defaults, given),
    /** The exit code is 3 if a side is slower by at least this share; null for never. */
    failOn: given.failOn ?? null,
    seed: given.seed ?? seed,
  };
}

/** Adds launches until ratios are ± `share` wide or, if it is null, rows have verdicts; null for a fixed number. */
function untilOf({ maxTimeS }: Defaults, given: GivenOptions) {
  if (given.until === undefined && maxTimeS === undefined) return null;
  const { maxTime = maxTimeS ?? OPTIONS.maxTime.usual } = given;
  return { share: given.until ?? null, maxTimeNs: maxTime * 1e9 };
}

/** How much is measured in slices: what is given, and else these amounts. */
export function slicedAmounts(
  usual: Pick<Amounts, 'durationS' | 'sliceS' | 'launches' | 'warmupS'>,
  given: GivenOptions,
): typeof usual {
  const durationS = given.duration ?? usual.durationS;
  const launches = given.launches ?? usual.launches;
  return {
    durationS,
    launches,
    // A duration shorter than one default slice a launch shrinks the slices, not the launches.
    sliceS: given.slice ?? Math.min(usual.sliceS, durationS / launches),
    warmupS: given.warmup ?? usual.warmupS,
  };
}

/** Options that need another one. */
const NEEDED: Partial<Record<OptionName, OptionName>> = {
  p99: 'rate',
  driver: 'rate',
  generatorHosts: 'rate',
  maxTime: 'until',
  profileDir: 'where',
  oneMachine: 'serverHost',
  pid: 'url',
  resume: 'out',
};
const OWN_GROUPS = '; the harness can only limit servers that it starts';
/** Options that exclude others, with what to do instead. */
const EXCLUDED: Partial<Record<OptionName, Reasons>> = {
  contiguous: { slice: '; use -d' },
  quick: { asPublished: '' },
  rate: { pipelining: '', asPublished: '' },
  pm2Tax: { connections: '', pipelining: '', rate: '', contiguous: '' },
  serverHost: { where: '', generatorHosts: '', url: '', resume: '', bodyFile: '; use --body' },
  url: { cpuLimit: OWN_GROUPS, memoryLimit: OWN_GROUPS },
};

function refuseConflicts(kind: RunKind, given: GivenOptions, refuse: Refuse): void {
  const isSampled = kind.profiles || given.where;
  const asked = OPTION_NAMES.filter((name) => given[name] !== undefined);
  for (const name of asked) {
    const own = kind.refused?.(given)[name];
    if (own !== undefined) refuse(`${flagOf(name)} has no effect here: ${own}`);
    const other = asked.find((each) => EXCLUDED[each]?.[name] !== undefined);
    if (other !== undefined) {
      refuse(`${flagOf(name)} cannot be used with ${flagOf(other)}${EXCLUDED[other]?.[name]}`);
    }
    const needed = kind.standalone?.includes(name) ? undefined : NEEDED[name];
    if (needed !== undefined && !asked.includes(needed)) {
      refuse(`${flagOf(name)} needs ${flagOf(needed)}`);
    }
  }
  if (isSampled && given.runtime?.some((each) => each.kind !== 'node')) {
    refuse("--runtime can only be node here: V8's sampler works on Node alone");
  }
}

/** The shortest form of an option. */
function flagOf(name: OptionName): string {
  return OPTIONS[name].flags.split(/[ ,]/)[0] ?? name;
}
