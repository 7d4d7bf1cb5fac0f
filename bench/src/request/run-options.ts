/** Every option, once: its text, how its value is written, and what a run is told of it. */
import { HTTP_METHODS } from '../targets/exchange.ts';
import {
  type Amounts,
  type Defaults,
  EQUIVALENCE,
  FEWEST_UNTIL,
  MAX_TIME_S,
  MIN_SLICE_S,
  type WarmupRate,
} from './amounts.ts';
import {
  changes,
  cpuLimits,
  each,
  header,
  host,
  hosts,
  memoryLimits,
  milliseconds,
  names,
  oneOf,
  origin,
  path,
  type Rate,
  rates,
  runtimes,
  seconds,
  share,
  slower,
  type TopologyName,
  topologies,
  variable,
  whole,
} from './option-values.ts';

/** An option of the command line. */
export interface OptionSpec {
  flags: string;
  /** What its value may be. */
  choices?: readonly string[];
  /** Reads a value that is more than text; of an option that may be given several times, with what came before. */
  parse?(text: string, before?: unknown): unknown;
}

type ValueOf<Spec> = Spec extends { parse: (...args: never[]) => infer Value }
  ? Value
  : Spec extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Spec extends { flags: `${string}<${string}` }
      ? string
      : boolean;

/** How a report can be written. */
export const FORMATS = ['terminal', 'plain', 'markdown', 'html', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** By the name that Commander gives an option: its long flag in camel case. */
export const OPTIONS = {
  targets: { flags: '-t, --targets <names>', parse: names },
  packages: { flags: '--packages <folder>' },
  topology: { flags: '--topology <list>', parse: topologies },
  runtime: { flags: '--runtime <list>', parse: runtimes },
  cpuLimit: { flags: '--cpu-limit <list>', parse: cpuLimits },
  memoryLimit: { flags: '--memory-limit <list>', parse: memoryLimits },
  unpinned: { flags: '--unpinned' },
  with: { flags: '--with <changes>', parse: changes },
  connections: { flags: '-c, --connections <n>', parse: whole(1, 100_000) },
  pipelining: { flags: '-p, --pipelining <n>', parse: whole(1, 1000) },
  rate: { flags: '--rate <rates>', parse: rates },
  p99: { flags: '--p99 <time>', parse: milliseconds },
  driver: { flags: '--driver <name>' },
  generatorHosts: { flags: '--generator-hosts <list>', parse: hosts },
  serverHost: { flags: '--server-host <host>', parse: host },
  oneMachine: { flags: '--no-one-machine' },
  path: { flags: '--path <path>', parse: each(path) },
  method: { flags: '--method <method>', parse: oneOf(HTTP_METHODS) },
  header: { flags: '--header <name: value>', parse: each(header) },
  body: { flags: '--body <text>' },
  bodyFile: { flags: '--body-file <file>' },
  status: { flags: '--status <code>', parse: whole(200, 599) },
  name: { flags: '--name <name>', parse: each(String) },
  env: { flags: '--env <NAME[=VALUE]>', parse: each(variable) },
  floor: { flags: '--no-floor' },
  url: { flags: '--url <address>', parse: each(origin) },
  pid: { flags: '--pid <pid>', parse: each(whole(1, 2 ** 22)) },
  allowRemote: { flags: '--allow-remote' },
  pm2Tax: { flags: '--pm2-tax' },
  duration: { flags: '-d, --duration <seconds>', parse: seconds(MIN_SLICE_S) },
  slice: { flags: '--slice <seconds>', parse: seconds(MIN_SLICE_S) },
  contiguous: { flags: '--contiguous' },
  launches: { flags: '--launches <n>', parse: whole(1, 1000) },
  warmup: { flags: '--warmup <seconds>', parse: seconds(0) },
  until: { flags: '--until <percent>', parse: share },
  maxTime: { flags: '--max-time <seconds>', parse: seconds(1) },
  equivalence: { flags: '--equivalence <percent>', parse: share },
  failOn: { flags: '--fail-on <slower>', parse: slower },
  repeats: { flags: '--repeats <n>', parse: whole(1, 1000) },
  seconds: { flags: '--seconds <seconds>', parse: seconds(8) },
  seed: { flags: '--seed <n>', parse: whole(0, 2 ** 31 - 1) },
  out: { flags: '-o, --out <file>' },
  quick: { flags: '--quick' },
  asPublished: { flags: '--as-published' },
  json: { flags: '--json' },
  plain: { flags: '--plain' },
  where: { flags: '--where' },
  profileDir: { flags: '--profile-dir <folder>' },
  details: { flags: '--details' },
  explain: { flags: '--explain' },
  /** Of `report`, which has it as `out` too. */
  reportOut: { flags: '-o, --out <file>' },
  format: { flags: '--format <format>', choices: FORMATS },
  force: { flags: '--force' },
  from: { flags: '--from <folder>' },
  pods: { flags: '--pods <n>', parse: whole(1, 1000) },
  namespace: { flags: '--namespace <name>' },
  image: { flags: '--image <name>' },
  storageClass: { flags: '--storage-class <name>' },
  write: { flags: '--write <file>' },
} as const satisfies Record<string, OptionSpec>;

/** What each says: `-h` prints the first sentence, `--help` all of it. */
export const OPTION_TEXTS: Record<OptionName, string> = {
  targets:
    'names of targets, separated by commas, or all. They are folder names of packages/; "all" means those of all suites. Default: all whose "bench" block names the suite; to verify, all.',
  packages:
    'the folder of the targets. Its folders are the targets: so servers that live elsewhere are measured.',
  topology:
    'single, max, numbers of processes, …, separated by commas. "single" is one plain node process, a number N a pm2 cluster of N processes, "max" a pm2 cluster of as many processes as can run at once here; "cluster:N" is the same by Node\'s own cluster module, "pmx:N" under pm2 with its default monitoring, "fork" one process in pm2\'s fork mode; "reuse-port:N" is N processes that share the port by SO_REUSEPORT, and "threads:N" one process of N worker threads that do.',
  runtime:
    'node@22, bun, …: every target on each of them. All targets that start with "node" run on each of these runtimes, all alive together, each compared with the first: node, bun or deno, each with a version where it is not to be the newest, as node@22 or bun@1.4. They come from the npm registry, into a cache of this project. Process managers keep only Node: the others run as "single".',
  cpuLimit:
    "cores that each server may use, as 1.5 or 0.25,0.5. Each starts in a control group of its own that gives all its processes together so many cores' worth of CPU time, as Docker and Kubernetes limit it; with several, every target runs under each, all alive together, with a table of topologies and limits. With --rate, `run` measures the number of processes that the rate takes by what a request costs, one fewer and one more, unless --topology says otherwise. Neither the generator nor services are limited. It takes the right to make control groups: root, or a scope of your own.",
  memoryLimit:
    'megabytes that each server may use, as 256 or 256,512. Each starts in a control group that gives all its processes together so much memory, as Docker and Kubernetes limit it; a server that needs more is killed by the kernel, and the report says so. With --cpu-limit every target runs under each pair of limits.',
  unpinned:
    'servers may run on every core. They run beside the generator then. Otherwise a server has as many cores to itself as it has processes, and one more where there is room, while that leaves the generator one of its own: the threads of a single process share them.',
  with: 'express@4: a target with that dependency, as one more. It is measured beside the target that it is made of; TARGET:express@4 says which where several targets have that dependency. Separated by commas, or repeated. It is a copy in a cache of this project, over the same floor; nothing else of it changes, and nothing in its folder.',
  connections:
    'connections at once. This is how many autocannon keeps open (a whole number); both ends of each need a file descriptor. The cost load of the frameworks suite keeps its own 100.',
  pipelining:
    'requests in flight on each connection. This is a whole number. The cost load of the frameworks suite keeps its own 10.',
  rate: 'requests at a rate, in an open loop: 500, 70% or 10%..95%. They are sent at their planned times whatever the server does, and latency counts from there: so many a second (500), or a share of what the slowest server can answer (70%), which is measured first. Several separated by commas, or a range (10%..95%, 8 rates), give a latency-load curve. -c is then the most requests under way.',
  p99: "with --rate, the cheapest server whose p99 is within this, as 50ms. Each has a verdict, by the interval of its p99: it meets it, does not, or it can't be told; of those that meet it the cheapest one uses the fewest cores, then the least memory. At several rates it says up to which of them each meets it, and what a core and a GB carry there. A number without a unit is of ms; 0.5s are seconds.",
  driver:
    'what sends requests at a rate. It is the pacer of this harness, or a program of that name, where it is on the PATH.',
  generatorHosts:
    'other machines that send for --driver k6, as box1,box2. Each sends an equal share of the rate, by a k6 of its own that is started over ssh, as your ssh configuration says; nobody is asked for a password. What each saw is merged request by request. Servers listen on the address at which those machines see this one, so only do it in a network that is yours.',
  serverHost:
    'another machine that has the servers, as user@box. The harness and the servers are copied there over ssh, as your ssh configuration says, and removed afterwards; nobody is asked for a password. Load comes from this machine, CPU time and memory are read there. It takes Node there, and what the servers themselves need. Servers listen on the address at which that machine sees this one, so only do it in a network that is yours.',
  oneMachine:
    'with --server-host, without the load from the same machine. It is measured after the load from this one, to say what it costs to share a machine.',
  path: 'path of the request, as /users/1. It may have a query, as /users/1?full=yes. To compare sides it may be given several times, each with a row of its own.',
  method: 'method of the request',
  header: 'a header of the request, as "accept: text/html". It may be given several times.',
  body: 'body of the request, which is a POST then. --method may say otherwise.',
  bodyFile: 'file with the body of the request. It is sent byte for byte.',
  status:
    'status that the answer is to have, as 404. Without it any but an error and a redirection is taken as learnt.',
  name: 'a name for the tables; once for each server, in order. The first is that of the first server, the second that of the second, and so on.',
  env: 'lets a variable through to the servers, as DATABASE_URL. Their environment is closed otherwise. The variable has the value it has here (DATABASE_URL), or the one given (LOG_LEVEL=warn). It may be given several times.',
  floor:
    'without a floor beside the servers. The floor is a bare node:http server that reads the same request and sends the same answer.',
  url: 'a server that is already up, as http://127.0.0.1:8080. It may be given several times. It is not started anew, so there is one launch, which can tell no verdict.',
  pid: 'process of a server given by --url, for its CPU and memory. Given several times, it is of the first, the second, and so on.',
  allowRemote:
    'puts load on an address that is not of this machine. Only do so to a server that is yours.',
  pm2Tax:
    'what pm2 costs a server, in each of its modes. That is CPU per request and memory of one process under pm2 in fork mode, as a cluster of one, the same with its default monitoring, and under node:cluster, beside plain node; and of what people use instead: SO_REUSEPORT, and a worker thread. It is measured of the Fastify server unless --targets says otherwise.',
  duration:
    'measured seconds for each cell. A cell is a target in a topology under a load, and its seconds are the sum of all its slices, over all launches. Where a run has the cost load beside another, a cell has as many under it, and fewer at a low rate. With --contiguous, and for the overload of the cluster suite, they are the unbroken length of each launch.',
  slice:
    'seconds of a slice. A slice is the unbroken piece of measurement that cells get in turn; its length is adjusted so that whole slices fill -d. Shorter ones spread the noise of the machine more evenly over the cells, and cost more time between them. Under the cost load and at a low rate a launch is one slice, interleaved with those of the other servers in turns of about 50 ms.',
  contiguous:
    "each cell unbroken, one after the other. Each runs for -d seconds on processes of its own, as autocannon's own command line would. One launch unless --launches says more.",
  launches:
    'starts of all processes. How often all are started anew is a whole number. The interval of every figure comes from the differences between launches: with one launch there is none.',
  warmup:
    'most seconds of warm-up for each server. They are of unmeasured load, after each start. It ends before that once the server has settled: once neither CPU per request nor memory go up or down from batch to batch of equal numbers of requests. 0 warms nothing up.',
  until: `go on until every ratio is known to ± this, as 2%. Launch follows launch until the 95 % interval of every ratio is at most ± this wide: of requests/s, and under the cost load of CPU per request, of each target to the first one of its table; for ${FEWEST_UNTIL} launches at least. It looks at nothing but the width, so it does not favour differences.`,
  maxTime:
    'with --until, end after so long. No launch begins that would end later than so many seconds after the start.',
  equivalence:
    'closer than this is the same. Two figures are called the same when they are shown to differ by no more than this, as 2%.',
  failOn:
    'exit code 3 where a side is slower, or slower=3%. With a limit, where the lower end of the interval of how much slower it is than the first one reaches that.',
  repeats:
    'measurements by each method. They are a whole number, in turn. How far apart they come out can only be told from two on.',
  seconds:
    'wall time of each measurement. It is about how many seconds each takes by either method, starting and stopping included.',
  seed: 'seed of the random order. The cells within each round are in that order. It is a whole number; one that is drawn is printed with the result.',
  out: 'file for the record. It is a JSON file that "report" reads again, compressed where its name ends in .json.gz. It is saved after every round.',
  quick:
    'an answer in about a minute. Of the frameworks suite it is to one question: what a request costs each as a single process, under the cost load. Of others it has shorter and fewer slices, with wider intervals. Options given beside it win.',
  asPublished:
    'the load as it was published, once. Each server has it unbroken, on processes of its own, for as long as was published. One launch has no interval, and so no verdict. Options given beside it win.',
  json: 'the record on stdout instead of tables. It is printed as JSON; everything else goes to stderr.',
  plain:
    'a line for each row, to be read aloud. In place of tables, every figure stands with the name of its column: to be read aloud, or to be searched.',
  where:
    'then where the microseconds go, in launches of its own. The functions of those targets that run on Node are sampled, which says whom the CPU time of a request goes to: the kernel, native code, the garbage collector, Node, and each package. It is saved and shown on its own, beside the run.',
  profileDir:
    'folder that keeps the profiles, for developer tools. Every slice has a .cpuprofile file in it, as the developer tools and speedscope read it.',
  details:
    "all figures of every cell, and what was seen. That is all columns of every table, below each what was seen where a flag is shown, what the flags mean, and for every cell what autocannon's own tables show: latency at 2.5, 50, 97.5 and 99 %, average, deviation and maximum, and requests/s and bytes/s over the slices.",
  explain:
    'what the flags of the tables mean. It is told of each flag that the tables show, with what to do about it.',
  reportOut: 'file for the report',
  format:
    'how it is written. As tables for the terminal, in lines to be read aloud (plain), as Markdown, as a page (html), as a row for each cell in base units (csv), or as the record itself (json). Several records are put side by side on one page.',
  force: 'compares runs that were not measured alike. What is printed says so.',
  from: 'the folder of the records. Each of them becomes a page.',
  pods: 'pods that send. They are a whole number, each with an equal share of the rate on a node of its own.',
  namespace: 'the namespace of the pods.',
  image: 'the image with k6.',
  storageClass:
    'the class of the volume that takes what the pods see. Pods of several nodes have to be able to write to it (ReadWriteMany).',
  write: 'a file for the manifests. Nothing is applied then.',
};

/** The name of an option. */
export type OptionName = keyof typeof OPTIONS;
const isOption = (name: string): name is OptionName => name in OPTIONS;
export const OPTION_NAMES: readonly OptionName[] = Object.keys(OPTIONS).filter(isOption);
/**
 * The values of options, absent where they were not given. Of those without a value true, and of one that
 * begins with `--no-` false.
 */
export type GivenOptions = { [Name in OptionName]?: ValueOf<(typeof OPTIONS)[Name]> };
/** Why an option can't do anything. */
export type Meaningless = Partial<Record<OptionName, string>>;

/** Everything a measuring run is told. */
export interface RunOptions extends Amounts {
  topologies: TopologyName[];
  /** Cores' worth of CPU time under which every target runs; none where nothing limits them. */
  cpuLimits: number[];
  /** Bytes of memory under which every target runs; none where nothing limits them. */
  memoryLimits: number[];
  /** Servers may run on every core, beside the generator. */
  unpinned: boolean;
  /** Requests at these rates in an open loop; null for closed loops. */
  rates: Rate[] | null;
  /** What p99 is asked to be within at these rates; null where nothing is asked of it. */
  p99Ns: number | null;
  /** What sends requests at a rate. */
  driver: string;
  /** Other machines that send for it; none where this one does. */
  generatorHosts: string[];
  warmupRate: WarmupRate | null;
  /** Each cell unbroken on processes of its own, instead of slices in random order. */
  contiguous: boolean;
  /** Two figures that differ by no more than this share are the same. */
  equivalence: number;
  /**
   * Launches go on until every ratio is known to ± this share, or, where that is null, until every row of the answer
   * has its verdict; null where their number is fixed.
   */
  until: { share: number | null; maxTimeNs: number } | null;
  /** A side that is slower by this share at the least does not pass; null where all do. */
  failOn: number | null;
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
  /** Of one that goes on until every row has its verdict: for so many seconds, where nothing else is asked for. */
  maxTimeS?(given: GivenOptions): number;
  /** Whether it takes profiles where nobody asks for them. */
  profiles?: true;
  /** Options that can't do anything in it beside what was given, each with why. */
  meaningless(given: GivenOptions): Meaningless;
}

/** A kind of run without anything of its own in its options. */
export const PLAIN_KIND = {
  isUnbroken: false,
  hasRate: false,
  meaningless: () => ({}),
} satisfies Partial<RunKind>;

/** What decides what was not given. */
export interface RunContext {
  /** What can send requests at a rate, the one that does by default first. */
  drivers: readonly [string, ...string[]];
  /** The seed where none is given. */
  seed: number;
  /** Ends with this error. */
  refuse(what: string): never;
}

/**
 * What a run of a kind is to do, by its options and the defaults of its kind. Options that contradict
 * each other are refused.
 */
export function runOptions(
  kind: RunKind,
  given: GivenOptions,
  { drivers, seed, refuse }: RunContext,
): RunOptions {
  refuseMeaningless(kind, given, refuse);
  const { topologies: usual, ...defaults } = kind.defaults(given);
  const contiguous = given.contiguous === true || given.asPublished === true;
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
    memoryLimits: given.memoryLimit ?? [],
    unpinned: given.unpinned === true,
    rates: given.rate ?? null,
    p99Ns: given.p99 === undefined ? null : given.p99 * 1e6,
    driver: given.driver ?? defaults.driver ?? drivers[0],
    generatorHosts: given.generatorHosts ?? [],
    warmupRate: defaults.warmupRate ?? null,
    connections: given.connections ?? defaults.connections,
    pipelining: given.pipelining ?? defaults.pipelining,
    ...amounts,
    sliceS,
    contiguous,
    equivalence: given.equivalence ?? EQUIVALENCE,
    until: untilOf(kind, given),
    failOn: given.failOn ?? null,
    seed: given.seed ?? seed,
    ...outputOf(given),
  };
}

/** What comes out, and how. */
function outputOf(given: GivenOptions) {
  const { out = null, profileDir = null } = given;
  const { json = false, plain = false, details = false, explain = false } = given;
  return { out, profileDir, json, plain, details, explain };
}

/** What ends a run that goes on launch by launch. */
function untilOf(kind: RunKind, given: GivenOptions): RunOptions['until'] {
  const usualS = kind.maxTimeS?.(given) ?? (given.until === undefined ? null : MAX_TIME_S);
  if (usualS === null) return null;
  return { share: given.until ?? null, maxTimeNs: (given.maxTime ?? usualS) * 1e9 };
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

const ELSEWHERE = 'beside --server-host';
const NOT_ELSEWHERE: Meaningless = {
  where: ELSEWHERE,
  generatorHosts: ELSEWHERE,
  url: ELSEWHERE,
  bodyFile: `${ELSEWHERE}: give --body`,
};

/** Refuses an option that can't do anything in a run of this kind, beside what else is given. */
function refuseMeaningless(kind: RunKind, given: GivenOptions, refuse: RunContext['refuse']): void {
  const { contiguous, until, rate, where, runtime = [] } = given;
  const isSampled = kind.profiles || where;
  const isOnOthers = runtime.some((each) => each.kind !== 'node');
  const reasons: Meaningless = {
    ...(contiguous && { slice: 'beside --contiguous; use -d' }),
    ...(until === undefined && !kind.maxTimeS && { maxTime: 'without --until' }),
    ...(rate === undefined && { p99: 'without --rate' }),
    ...(rate === undefined && !kind.hasRate && { driver: 'without --rate' }),
    ...(rate === undefined && { generatorHosts: 'without --rate' }),
    ...(given.quick && { asPublished: 'beside --quick' }),
    ...(rate !== undefined && { pipelining: 'beside --rate', asPublished: 'beside --rate' }),
    ...(!isSampled && { profileDir: 'without --where' }),
    ...(isSampled &&
      isOnOthers && { runtime: "here but for node: V8's sampler is asked of Node alone" }),
    ...(given.serverHost && NOT_ELSEWHERE),
    ...(!given.serverHost && given.oneMachine === false && { oneMachine: 'without --server-host' }),
    ...kind.meaningless(given),
  };
  for (const name of OPTION_NAMES) {
    const reason = reasons[name];
    if (reason === undefined || given[name] === undefined) continue;
    const [flag] = OPTIONS[name].flags.split(/[ ,]/);
    refuse(`${flag} has no meaning ${reason}`);
  }
}

/** Without the digits that binary fractions add. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
