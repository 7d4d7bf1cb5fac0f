/** What every option means: its texts, and what a run makes of it. */
import { type Amounts, type Defaults, FEWEST_UNTIL } from './amounts.ts';
import { MIN_SLICE_S, OPTION_NAMES, OPTIONS, type OptionName, share } from './option-values.ts';

/** Help texts: `-h` prints the first sentence, `--help` all of it. Backticks, since many have both kinds of quotes. */
export const OPTION_TEXTS: Record<OptionName, string> = {
  targets: `target names, separated by commas, or all. A target is named after its folder in packages/; "all" selects those of all suites. Default: all whose "bench" block names the suite; for verify, all.`,
  packages: `folder of the targets. Each of its folders is a target, so servers that live elsewhere can be measured.`,
  topology: `single, max, numbers of processes, …, separated by commas. "single" is one plain node process, a number N a pm2 cluster of N processes, and "max" a pm2 cluster of as many processes as can run at once here. "cluster:N" is the same with Node's own cluster module, "pmx:N" under pm2 with its default monitoring, "fork" one process in pm2's fork mode, "reuse-port:N" N processes that share the port by SO_REUSEPORT, and "threads:N" one process with N worker threads that do.`,
  runtime: `runtimes to run every target on, such as node@22,bun. All targets that start with "node" run on each of these runtimes, all alive together, each compared with the first. A runtime is node, bun or deno, the newest unless it has a version, such as node@22 or bun@1.4. Runtimes come from the npm registry and are kept in a cache of this project. Process managers only run Node: other runtimes run as "single".`,
  cpuLimit: `cores that each server may use, such as 1.5 or 0.25,0.5. Each server starts in a control group of its own, which limits the CPU time of all its processes together, as Docker and Kubernetes do. With several limits every target runs under each, all alive together, and a table shows topologies and limits. With --rate, "run" works out the number of processes that the rate needs from what a request costs, and measures that number, one fewer and one more, unless --topology is given. Neither the generator nor services are limited. Making control groups takes root, or a scope of your own.`,
  memoryLimit: `megabytes that each server may use, such as 256 or 256,512. Each server starts in a control group, which limits the memory of all its processes together, as Docker and Kubernetes do. The kernel kills a server that needs more, and the report says so. With --cpu-limit every target runs under each pair of limits.`,
  unpinned: `let servers run on every core, beside the generator. Otherwise a server has as many cores to itself as it has processes, and one more where there is room, as long as the generator keeps one of its own; the threads of a single process share the server's cores.`,
  with: `add a copy of a target with another version of a dependency, such as express@4. It is measured beside the target that it is a copy of; TARGET:express@4 says which where several targets have that dependency. Separate several with commas, or repeat the option. The copy is in a cache of this project and has the same floor; nothing else of it changes, and nothing in the folder of the target.`,
  connections: `open connections. This is how many autocannon keeps open, a whole number; each takes a file descriptor at both ends. The cost load of the frameworks suite always has 100.`,
  pipelining: `requests in flight on each connection. This is a whole number. The cost load of the frameworks suite always has 10.`,
  rate: `send requests at a rate, in an open loop: 500, 70% or 10%..95%. Requests leave at their planned times whatever the server does, and latency counts from then. A rate is in requests a second (500), or a share of what the slowest server can answer (70%), which is measured first. Several rates separated by commas, or a range (10%..95% is 8 rates), give a latency-load curve. -c is then the most requests in flight.`,
  p99: `with --rate, find the cheapest server that meets this p99, such as 50ms. Each server has a verdict, by the interval of its p99: it meets the limit, does not meet it, or the data can't tell. The cheapest of those that meet it uses the fewest cores, then the least memory. At several rates the report says up to which rate each server meets it, and what a core and a GB carry there. A number without a unit is in ms; 0.5s is in seconds.`,
  driver: `what sends requests at a rate. The pacer is part of this harness; any other driver is a program of that name on the PATH.`,
  generatorHosts: `hosts that send the load of --driver k6, such as box1,box2. Each sends an equal share of the rate with its own k6, which is started over ssh with your ssh configuration; nobody is asked for a password. The results are merged request by request. Servers listen on the address at which those hosts see this machine, so only do this in a network that is yours.`,
  serverHost: `host that runs the servers, such as user@box. The harness and the servers are copied there over ssh with your ssh configuration, and removed afterwards; nobody is asked for a password. This machine sends the load; CPU time and memory are read on the host. The host needs Node, and what the servers themselves need. Servers listen on the address at which this machine reaches the host, so only do this in a network that is yours.`,
  oneMachine: `with --server-host, skip the run with the load from the host itself. It comes after the run with the load from this machine, and shows what it costs to share a machine.`,
  path: `path of the request, such as /users/1. It may have a query, such as /users/1?full=yes. "ab" takes several, each with a row of its own.`,
  method: 'method of the request',
  header: 'header of the request, such as "accept: text/html". May be repeated.',
  body: 'body of the request, which makes it a POST. --method selects another method.',
  bodyFile: 'file with the body of the request. It is sent byte for byte.',
  status: `status that the answer must have, such as 404. Without it any status is accepted but errors and redirections.`,
  name: 'name of a server in the tables; repeat it for each server, in order',
  env: `pass a variable to the servers, such as DATABASE_URL. Servers see no other variable of yours. DATABASE_URL passes the value it has here, LOG_LEVEL=warn the one given. May be repeated.`,
  floor: `leave the floor out. The floor is a bare node:http server that reads the same request and sends the same answer.`,
  url: `server that is already up, such as http://127.0.0.1:8080. May be repeated. It cannot be started anew, so there is one launch, and no verdict.`,
  pid: `process of a server given by --url, to read its CPU time and memory. May be repeated: the first is of the first --url, and so on.`,
  allowRemote: `send load to an address of another machine. Only do this to a server that is yours.`,
  pm2Tax: `measure what pm2 costs a server, in each of its modes. That is CPU per request and memory of one process in pm2's fork mode, in a pm2 cluster of one, in the same with pm2's default monitoring, and under node:cluster, each beside plain node; and of the alternatives, SO_REUSEPORT and a worker thread. It measures the Fastify server unless --targets says otherwise.`,
  duration: `measured seconds of each cell. A cell is a target in a topology under a load, and its seconds are the sum of all its slices, over all launches. A run with the cost load beside another gives a cell as many seconds under it, and fewer at a low rate. With --contiguous, and for the overload of the cluster suite, this is the unbroken length of each launch.`,
  slice: `seconds of a slice. A slice is an unbroken measurement of a cell; cells get theirs in turn. Its length is adjusted so that whole slices fill -d. Shorter slices spread the noise of the machine more evenly over the cells, and lose more time between them. Under the cost load and at a low rate a launch is one slice, interleaved with those of the other servers in turns of about 50 ms.`,
  contiguous: `measure each cell unbroken, one after the other. Each runs for -d seconds on processes of its own, as autocannon's command line would do it. There is one launch unless --launches says otherwise.`,
  launches: `number of launches, each with new processes. This is a whole number. The interval of every figure comes from the differences between launches: one launch has none.`,
  warmup: `most seconds of warm-up for each server. After each start a server gets load that is not measured, until it has settled: until neither CPU per request nor memory goes up or down from batch to batch of equal numbers of requests. 0 leaves the warm-up out.`,
  until: `go on until every ratio is known to ± this, such as 2%. Launches are added until the 95 % interval of every ratio is at most ± this wide: of requests/s, and under the cost load of CPU per request, of each target to the first one of its table. There are at least ${FEWEST_UNTIL} launches. Only the width counts, so differences are not favoured.`,
  maxTime: `seconds after which ab, or a run with --until, ends. No launch begins that would end later.`,
  equivalence: `treat smaller differences as none, such as 2%. Two figures are called the same when they are shown to differ by no more than this.`,
  failOn: `exit with 3 if a side is slower, or slower=3%. With a limit, only if the lower end of the interval of how much slower than the first it is reaches the limit.`,
  repeats: `measurements with each method, in turn. This is a whole number. It takes two to tell how far apart they are.`,
  seconds: `wall time of each measurement, in seconds. Each takes about that long with either method, starting and stopping included.`,
  seed: `seed of the random order. It orders the cells within each round, and is a whole number; a random one is printed with the result.`,
  out: `file for the record. It is JSON, which "report" reads again, compressed if its name ends in .json.gz. It is saved after every round.`,
  resume: `continue the run saved in the file of -o. With the same options, its missing launches are measured: those after an interruption, or more with a larger --launches. A launch that was cut off is measured again. Without such a file, the run begins.`,
  quick: `answer one question, in one to three minutes. The frameworks suite says what a request costs each server as a single process, under the cost load. Others have fewer servers, loads or launches, and wider intervals. Other options override it.`,
  asPublished: `the load as it was published, once. Each server gets it unbroken, on processes of its own, for as long as was published. One launch has no interval, and so no verdict. Other options override it.`,
  json: 'print the record as JSON instead of tables. Everything else goes to stderr.',
  plain: `print a line for each row instead of tables, for screen readers. Each figure stands beside the name of its column, which helps searching too.`,
  where: `then show where the CPU time goes, in launches of its own. The functions of all targets on Node are sampled, which splits the CPU time of a request into kernel, native code, garbage collector, Node, and each package. It is saved and shown on its own, beside the run.`,
  profileDir: `folder that keeps the profiles. Each slice has a .cpuprofile file in it, which developer tools and speedscope read.`,
  details: `show all figures of every cell, and the evidence for flags. That is all columns of every table, what was seen where a flag is shown, what the flags mean, and for every cell what autocannon's own tables show: latency at 2.5, 50, 97.5 and 99 %, average, deviation and maximum, and requests/s and bytes/s over the slices.`,
  explain: 'explain the flags of the tables, and what to do about each',
  reportOut: 'file for the report',
  format: `format of the output. Tables for the terminal, lines for screen readers (plain), Markdown, a page (html), a row for each cell in base units (csv), or the record itself (json). Several records share a page.`,
  force: 'compare runs that were not measured alike. The output says so.',
  from: 'folder of the records. Each of them becomes a page.',
  pods: `pods that send the load. This is a whole number; each sends an equal share of the rate from a node of its own.`,
  namespace: 'namespace of the pods',
  image: 'image with k6',
  storageClass: `storage class of the volume for what the pods see. Pods of several nodes must be able to write to it (ReadWriteMany).`,
  write: 'file for the manifests. Nothing is applied then.',
};

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
