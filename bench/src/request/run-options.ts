/** Every option of a run, once: its texts, how its value is written, and what a run is told of it. */
import type { Command } from 'commander';
import { HTTP_METHODS } from '../targets/exchange.ts';
import {
  type Amounts,
  type Defaults,
  EQUIVALENCE,
  FEWEST_UNTIL,
  MAX_TIME_S,
  MIN_SLICE_S,
} from './amounts.ts';
import type { Given } from './option.ts';
import {
  changes,
  cpuLimits,
  each,
  header,
  names,
  oneOf,
  origin,
  path,
  type Rate,
  rates,
  runtimes,
  seconds,
  share,
  type TopologyName,
  topologies,
  variable,
  whole,
} from './option-values.ts';

/** By the name that Commander gives an option: its long flag in camel case. */
export const RUN_OPTIONS = {
  targets: {
    flags: '-t, --targets <names>',
    short: 'names of targets, separated by commas, or all',
    long: 'The targets: folder names of packages/, separated by commas, or "all" for those of all suites. Default: all whose "bench" block names the suite; to verify, all.',
    parse: names,
  },
  packages: {
    flags: '--packages <folder>',
    short: 'the folder of the targets',
    long: 'The folder whose folders are the targets, to measure servers that live elsewhere.',
    parse: String,
  },
  topology: {
    flags: '--topology <list>',
    short: 'single, max, numbers of processes, …, separated by commas',
    long: 'How each target runs: "single" is one plain node process, a number N a pm2 cluster of N processes, "max" a pm2 cluster of as many processes as can run at once here; "cluster:N" is the same by Node\'s own cluster module, "pmx:N" under pm2 with its default monitoring, "fork" one process in pm2\'s fork mode. Separated by commas.',
    parse: topologies,
  },
  runtime: {
    flags: '--runtime <list>',
    short: 'node@22, bun, …: every target on each of them',
    long: 'Runs every target that starts with "node" on each of these runtimes, all alive together, and compares each with the first: node, bun or deno, each with a version where it is not to be the newest, as node@22 or bun@1.4. They come from the npm registry, into a cache of this project. Process managers keep only Node: the others run as "single".',
    parse: runtimes,
  },
  cpuLimit: {
    flags: '--cpu-limit <list>',
    short: 'cores that each server may use, as 1.5 or 0.25,0.5',
    long: "Starts each server in a control group of its own that gives all its processes together so many cores' worth of CPU time, as Docker and Kubernetes limit it (1.5); several separated by commas (0.25,0.5) run every target under each, all alive together, with a table of topologies and limits. Neither the generator nor services are limited. It takes the right to make control groups: root, or a scope of your own.",
    parse: cpuLimits,
  },
  unpinned: {
    flags: '--unpinned',
    short: 'servers may run on every core',
    long: 'Lets servers run on every core, beside the generator. Otherwise a server has as many cores to itself as it has processes, and one more where there is room, while that leaves the generator one of its own: the threads of a single process share them.',
  },
  with: {
    flags: '--with <changes>',
    short: 'express@4: a target with that dependency, as one more',
    long: 'Measures a target with another version of a dependency as one more target beside it: express@4, or TARGET:express@4 where several targets have that dependency. Separated by commas, or repeated. It is a copy in a cache of this project, over the same floor; nothing else of it changes, and nothing in its folder.',
    parse: changes,
  },
  connections: {
    flags: '-c, --connections <n>',
    short: 'connections at once',
    long: 'How many connections autocannon keeps open at once (a whole number). Both ends of each need a file descriptor. The cost load of the frameworks suite keeps its own 100.',
    parse: whole(1, 100_000),
  },
  pipelining: {
    flags: '-p, --pipelining <n>',
    short: 'requests in flight on each connection',
    long: 'How many requests each connection has in flight (a whole number). The cost load of the frameworks suite keeps its own 10.',
    parse: whole(1, 1000),
  },
  rate: {
    flags: '--rate <rates>',
    short: 'requests at a rate, in an open loop: 500, 70% or 10%..95%',
    long: 'Sends requests at their planned times whatever the server does, and counts latency from there: so many a second (500), or a share of what the slowest server can answer (70%), which is measured first. Several separated by commas, or a range (10%..95%, 8 rates), give a latency-load curve. -c is then the most requests under way.',
    parse: rates,
  },
  driver: {
    flags: '--driver <name>',
    short: 'what sends requests at a rate',
    long: 'What sends requests at a rate: the pacer of this harness, or a program of that name, where it is on the PATH.',
    parse: String,
  },
  path: {
    flags: '--path <path>',
    short: 'path of the request, as /users/1 (default: /)',
    long: 'The path of the request, with its query, as /users/1?full=yes. Default: / .',
    parse: path,
  },
  method: {
    flags: '--method <method>',
    short: 'method of the request (default: GET)',
    long: 'The method of the request. Default: GET.',
    parse: oneOf(HTTP_METHODS),
  },
  header: {
    flags: '--header <name: value>',
    short: 'a header of the request, as "accept: text/html"',
    long: 'A header of the request, as "accept: text/html". May be given several times.',
    parse: each(header),
  },
  body: {
    flags: '--body <text>',
    short: 'body of the request, which is a POST then',
    long: 'The body of the request, which is a POST then unless --method says otherwise.',
    parse: String,
  },
  bodyFile: {
    flags: '--body-file <file>',
    short: 'file with the body of the request',
    long: 'A file with the body of the request, byte for byte.',
    parse: String,
  },
  status: {
    flags: '--status <code>',
    short: 'status that the answer is to have, as 404',
    long: 'The status that the answer is to have. Without it any but an error and a redirection is taken as learnt.',
    parse: whole(200, 599),
  },
  name: {
    flags: '--name <name>',
    short: 'a name for the tables; once for each server, in order',
    long: 'A name for the tables; given several times, for the first server, the second, and so on.',
    parse: each(String),
  },
  env: {
    flags: '--env <NAME[=VALUE]>',
    short: 'lets a variable through to the servers, as DATABASE_URL',
    long: "A variable of the servers' environment, which is closed otherwise: with the value it has here (DATABASE_URL), or with the one given (LOG_LEVEL=warn). May be given several times.",
    parse: each(variable),
  },
  floor: {
    flags: '--no-floor',
    short: 'without a floor beside the servers',
    long: 'Measures without the floor, a bare node:http server that reads the same request and sends the same answer.',
  },
  url: {
    flags: '--url <address>',
    short: 'a server that is already up, as http://127.0.0.1:8080',
    long: 'A server that is already up, as http://127.0.0.1:8080; may be given several times. It is not started anew, so there is one launch, which can tell no verdict.',
    parse: each(origin),
  },
  pid: {
    flags: '--pid <pid>',
    short: 'process of a server given by --url, for its CPU and memory',
    long: 'The process of a server that is given by --url, whose CPU time and memory are read then; given several times, of the first, the second, and so on.',
    parse: each(whole(1, 2 ** 22)),
  },
  allowRemote: {
    flags: '--allow-remote',
    short: 'puts load on an address that is not of this machine',
    long: 'Puts load on an address that is not of this machine. Only do so to a server that is yours.',
  },
  pm2Tax: {
    flags: '--pm2-tax',
    short: 'what pm2 costs a server, in each of its modes',
    long: 'Measures what a process manager costs: CPU per request and memory of one process under pm2 in fork mode, as a cluster of one, the same with its default monitoring, and under node:cluster, beside plain node. Of the Fastify server unless --targets says otherwise.',
  },
  duration: {
    flags: '-d, --duration <seconds>',
    short: 'measured seconds for each cell',
    long: 'Seconds of measurement for each cell (a target in a topology under a load): the sum of all its slices, over all launches. Where a run has the cost load beside another, a cell has as many under it, and fewer at a low rate. With --contiguous, and for the overload of the cluster suite, the unbroken length of each launch.',
    parse: seconds(MIN_SLICE_S),
  },
  slice: {
    flags: '--slice <seconds>',
    short: 'seconds of a slice',
    long: 'Seconds of a slice, the unbroken piece of measurement that cells get in turn; adjusted so that whole slices fill -d. Shorter ones spread the noise of the machine more evenly over the cells, and cost more time between them. Under the cost load and at a low rate a launch is one slice, interleaved with those of the other servers in turns of about 50 ms.',
    parse: seconds(MIN_SLICE_S),
  },
  contiguous: {
    flags: '--contiguous',
    short: 'each cell unbroken, one after the other',
    long: "Runs each cell unbroken for -d seconds on processes of its own, one cell after the other, as autocannon's own command line would. One launch unless --launches says more.",
  },
  launches: {
    flags: '--launches <n>',
    short: 'starts of all processes',
    long: 'How often all processes are started anew (a whole number). The interval of every figure comes from the differences between launches: with one launch there is none.',
    parse: whole(1, 1000),
  },
  warmup: {
    flags: '--warmup <seconds>',
    short: 'most seconds of warm-up for each server',
    long: 'The most seconds of unmeasured load on each server after each start. It ends before that once the server has settled: once neither CPU per request nor memory go up or down from batch to batch of equal numbers of requests. 0 warms nothing up.',
    parse: seconds(0),
  },
  until: {
    flags: '--until <percent>',
    short: 'go on until every ratio is known to ± this, as 2%',
    long: `Goes on, launch by launch, until the 95 % interval of every ratio is at most ± this wide, as 2%: of requests/s, and under the cost load of CPU per request, of each target to the first one of its table; for ${FEWEST_UNTIL} launches at least. It looks at nothing but the width, so it does not favour differences.`,
    parse: share,
  },
  maxTime: {
    flags: '--max-time <seconds>',
    short: 'with --until, end after so long',
    long: 'With --until, begins no launch that would end later than so many seconds after the start.',
    parse: seconds(1),
  },
  equivalence: {
    flags: '--equivalence <percent>',
    short: 'closer than this is the same',
    long: 'Two figures are called the same when they are shown to differ by no more than this.',
    parse: share,
  },
  repeats: {
    flags: '--repeats <n>',
    short: 'measurements by each method',
    long: 'How often each method measures (a whole number), in turn. How far apart they come out can only be told from two on.',
    parse: whole(1, 1000),
  },
  seconds: {
    flags: '--seconds <seconds>',
    short: 'wall time of each measurement',
    long: 'About how many seconds of wall time each measurement by either method takes, starting and stopping included.',
    parse: seconds(8),
  },
  seed: {
    flags: '--seed <n>',
    short: 'seed of the random order (default: drawn and printed)',
    long: 'Seed of the random order of the cells within each round (a whole number). Default: drawn, and printed with the result.',
    parse: whole(0, 2 ** 31 - 1),
  },
  out: {
    flags: '-o, --out <file>',
    short: 'file for the record (default: results/<time>-<suite>.json)',
    long: 'The file for the record, a JSON file that "report" reads again; compressed where its name ends in .json.gz. Default: results/<time>-<suite>.json. It is saved after every round.',
    parse: String,
  },
  quick: {
    flags: '--quick',
    short: 'an answer in about a minute',
    long: 'An answer in about a minute. Of the frameworks suite to one question: what a request costs each as a single process, under the cost load. Of others shorter and fewer slices, with wider intervals. Options given beside it win.',
  },
  json: {
    flags: '--json',
    short: 'the record on stdout instead of tables',
    long: 'Prints the record as JSON on stdout instead of the tables; everything else goes to stderr.',
  },
  plain: {
    flags: '--plain',
    short: 'a line for each row, to be read aloud',
    long: 'Instead of tables a line for each of their rows, in which every figure stands with the name of its column: to be read aloud, or to be searched.',
  },
  where: {
    flags: '--where',
    short: 'then where the microseconds go, in launches of its own',
    long: 'Afterwards, in launches of its own, samples the functions of those targets that run on Node, and says whom the CPU time of a request goes to: the kernel, native code, the garbage collector, Node, and each package. Saved and shown on its own, beside the run.',
  },
  profileDir: {
    flags: '--profile-dir <folder>',
    short: 'folder that keeps the profiles, for developer tools',
    long: 'Keeps every profile in this folder, a .cpuprofile file for each slice, as the developer tools and speedscope read it.',
    parse: String,
  },
  details: {
    flags: '--details',
    short: 'all figures of every cell, and what was seen',
    long: "Everything: all columns of every table, below each what was seen where a flag is shown, what the flags mean, and for every cell what autocannon's own tables show: latency at 2.5, 50, 97.5 and 99 %, average, deviation and maximum, and requests/s and bytes/s over the slices.",
  },
  explain: {
    flags: '--explain',
    short: 'what the flags of the tables mean',
    long: 'Adds what each flag that the tables show means, and what to do about it.',
  },
};

/** The name of an option of a run. */
export type OptionName = keyof typeof RUN_OPTIONS;
const isOption = (name: string): name is OptionName => name in RUN_OPTIONS;
export const OPTION_NAMES: readonly OptionName[] = Object.keys(RUN_OPTIONS).filter(isOption);
/** What the options of a run say; absent where they were not given. */
export type GivenOptions = Given<typeof RUN_OPTIONS>;

/** Everything a measuring run is told. */
export interface RunOptions extends Amounts {
  topologies: TopologyName[];
  /** Cores' worth of CPU time under which every target runs; none where nothing limits them. */
  cpuLimits: number[];
  /** Servers may run on every core, beside the generator. */
  unpinned: boolean;
  /** Requests at these rates in an open loop; null for closed loops. */
  rates: Rate[] | null;
  /** What sends requests at a rate. */
  driver: string;
  /** Each cell unbroken on processes of its own, instead of slices in random order. */
  contiguous: boolean;
  /** Two figures that differ by no more than this share are the same. */
  equivalence: number;
  /** Launches go on until every ratio is known to ± this share; null where their number is fixed. */
  until: { share: number; maxTimeNs: number } | null;
  seed: number;
  /** A file for the record, or null for `results/<time>-<suite>.json`. */
  out: string | null;
  /** A folder for the profiles; null where they are not kept. */
  profileDir: string | null;
  json: boolean;
  plain: boolean;
  details: boolean;
  explain: boolean;
}

/** What a kind of run says of its options. */
export interface RunKind {
  /** As the record, its file and the report name it. */
  name: string;
  /** What it does when nothing else is asked for; options may decide which defaults count. */
  defaults(given: GivenOptions): Defaults;
  /** Whether -d is always the unbroken length of something in each launch. */
  isUnbroken: boolean;
  /** Whether it sends at a rate of its own where no other is asked for. */
  hasRate: boolean;
  /** Whether it takes profiles where nobody asks for them. */
  profiles?: true;
  /** Options that were given and can't do anything in it, each with why. */
  meaningless(given: GivenOptions): Iterable<[flag: string, reason: string]>;
}

/** What decides what was not given. */
export interface RunContext {
  drawSeed: () => number;
  /** What can send requests at a rate, the one that does by default first. */
  drivers: readonly [string, ...string[]];
}

/**
 * What a run of a kind is to do, by its options and the defaults of its kind. Options that contradict
 * each other are told of through the command.
 * @throws CommanderError then.
 */
export function runOptions(
  kind: RunKind,
  given: GivenOptions,
  command: Command,
  { drawSeed, drivers }: RunContext,
): RunOptions {
  const refuse = (what: string) => command.error(`error: ${what}`);
  for (const [flag, reason] of [...clashes(kind, given), ...kind.meaningless(given)]) {
    refuse(`${flag} has no meaning ${reason}`);
  }
  const { topologies: usual, ...defaults } = kind.defaults(given);
  const contiguous = given.contiguous === true;
  const isUnbroken = contiguous || kind.isUnbroken;
  const usualLaunches = contiguous ? 1 : defaults.launches;
  const amounts = slicedAmounts({ ...defaults, launches: usualLaunches }, given);
  const { durationS, launches } = amounts;
  const sliceS = isUnbroken ? durationS : amounts.sliceS;
  const shortest = isUnbroken ? MIN_SLICE_S : Math.max(sliceS, MIN_SLICE_S) * launches;
  if (durationS < shortest * 0.999) {
    refuse(
      `-d ${durationS} is too short for ${launches} launches with a slice of at least ` +
        `${Math.max(sliceS, MIN_SLICE_S)} s each; raise -d to ${rounded(shortest)} or lower --launches or --slice`,
    );
  }
  return {
    topologies: given.topology ?? usual,
    cpuLimits: given.cpuLimit ?? [],
    unpinned: given.unpinned === true,
    rates: given.rate ?? null,
    driver: given.driver ?? drivers[0],
    connections: given.connections ?? defaults.connections,
    pipelining: given.pipelining ?? defaults.pipelining,
    ...amounts,
    sliceS,
    contiguous,
    equivalence: given.equivalence ?? EQUIVALENCE,
    until:
      given.until === undefined
        ? null
        : { share: given.until, maxTimeNs: (given.maxTime ?? MAX_TIME_S) * 1e9 },
    seed: given.seed ?? drawSeed(),
    out: given.out ?? null,
    profileDir: given.profileDir ?? null,
    json: given.json === true,
    plain: given.plain === true,
    details: given.details === true,
    explain: given.explain === true,
  };
}

/** How much is measured in slices, by what was given and else by these amounts. */
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

/** Options that can't do anything beside, or without, others of any run. */
function* clashes(
  { hasRate, profiles }: RunKind,
  given: GivenOptions,
): Generator<[flag: string, reason: string]> {
  const { slice, contiguous, maxTime, until, driver, rate, pipelining } = given;
  if (contiguous && slice !== undefined) yield ['--slice', 'beside --contiguous; use -d'];
  if (maxTime !== undefined && until === undefined) yield ['--max-time', 'without --until'];
  if (rate === undefined && !hasRate && driver !== undefined) {
    yield ['--driver', 'without --rate'];
  }
  if (rate !== undefined && pipelining !== undefined) yield ['-p', 'beside --rate'];
  if (given.profileDir !== undefined && profiles !== true && !given.where) {
    yield ['--profile-dir', 'without --where'];
  }
  const others = (given.runtime ?? []).filter(({ kind }) => kind !== 'node');
  if ((profiles || given.where) && others.length > 0) {
    yield ['--runtime', "here but for node: V8's sampler is asked of Node alone"];
  }
}

/** Without the digits that binary fractions add. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
