/** Every option: how it is written, which commands take it, and its texts. */
import { HTTP_METHODS } from '../targets/exchange.ts';
import { FEWEST_UNTIL } from './amounts.ts';
import {
  changes,
  cpuLimits,
  DRIVER_NAMES,
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
  rates,
  runtimes,
  seconds,
  share,
  slower,
  topologies,
  variable,
  whole,
} from './option-values.ts';

/** Commands that measure and have options in common. */
type Family = 'suite' | 'workload' | 'run' | 'ab' | 'where';

export interface OptionSpec {
  flags: string;
  choices?: readonly string[];
  /** Reads a value that is not just text; for an option that may be repeated, `before` is its value so far. */
  parse?(text: string, before?: unknown): unknown;
  /** Its default in the help, unless a command has another one. */
  usual?: string | number | undefined;
  /** The families that take it; other commands list their options themselves. */
  of?: readonly Family[];
}

const ALL = ['suite', 'workload', 'run', 'ab', 'where'] as const;
const TARGETS = ['suite', 'workload', 'where'] as const;
const SERVERS = ['run', 'ab'] as const;
const NOT_AB = ['suite', 'workload', 'run', 'where'] as const;
const NOT_WHERE = ['suite', 'workload', 'run', 'ab'] as const;
const PLANNED = ['suite', 'workload', 'run'] as const;

export const MIN_SLICE_S = 0.1;
const FORMATS = ['terminal', 'plain', 'markdown', 'html', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];
/** By Commander's name for an option: its long flag in camel case. */
export const OPTIONS = {
  targets: { flags: '-t, --targets <names>', parse: names, usual: "the suite's", of: TARGETS },
  packages: { flags: '--packages <folder>', of: TARGETS },
  topology: { flags: '--topology <list>', parse: topologies, of: PLANNED },
  runtime: { flags: '--runtime <list>', parse: runtimes, usual: "the harness's Node", of: ALL },
  cpuLimit: { flags: '--cpu-limit <list>', parse: cpuLimits, usual: 'none', of: NOT_AB },
  memoryLimit: { flags: '--memory-limit <list>', parse: memoryLimits, usual: 'none', of: NOT_AB },
  unpinned: { flags: '--unpinned', of: ALL },
  with: { flags: '--with <changes>', parse: changes, of: ALL },
  connections: { flags: '-c, --connections <n>', parse: whole(1, 100_000), of: NOT_WHERE },
  pipelining: { flags: '-p, --pipelining <n>', parse: whole(1, 1000), of: NOT_WHERE },
  rate: { flags: '--rate <rates>', parse: rates, of: PLANNED },
  p99: { flags: '--p99 <time>', parse: milliseconds, usual: 'none', of: PLANNED },
  driver: { flags: '--driver <name>', choices: DRIVER_NAMES, usual: DRIVER_NAMES[0], of: PLANNED },
  generatorHosts: { flags: '--generator-hosts <list>', parse: hosts, usual: 'none', of: PLANNED },
  serverHost: { flags: '--server-host <host>', parse: host, usual: 'none', of: ['suite', 'run'] },
  oneMachine: { flags: '--no-one-machine', of: ['suite', 'run'] },
  path: { flags: '--path <path>', parse: each(path), usual: '/', of: SERVERS },
  method: { flags: '--method <method>', parse: oneOf(HTTP_METHODS), usual: 'GET', of: SERVERS },
  header: { flags: '--header <name: value>', parse: each(header), of: SERVERS },
  body: { flags: '--body <text>', of: SERVERS },
  bodyFile: { flags: '--body-file <file>', of: SERVERS },
  status: { flags: '--status <code>', parse: whole(200, 599), of: SERVERS },
  name: { flags: '--name <name>', parse: each(String), of: SERVERS },
  env: { flags: '--env <NAME[=VALUE]>', parse: each(variable), of: SERVERS },
  floor: { flags: '--no-floor', of: ['run'] },
  url: { flags: '--url <address>', parse: each(origin), of: ['run'] },
  pid: { flags: '--pid <pid>', parse: each(whole(1, 2 ** 22)), of: ['run'] },
  allowRemote: { flags: '--allow-remote', of: ['run'] },
  pm2Tax: { flags: '--pm2-tax' },
  duration: { flags: '-d, --duration <seconds>', parse: seconds(MIN_SLICE_S), of: ALL },
  slice: { flags: '--slice <seconds>', parse: seconds(MIN_SLICE_S), of: ALL },
  contiguous: { flags: '--contiguous', of: PLANNED },
  launches: { flags: '--launches <n>', parse: whole(1, 1000), of: ALL },
  warmup: { flags: '--warmup <seconds>', parse: seconds(0), of: ALL },
  until: { flags: '--until <percent>', parse: share, of: PLANNED },
  maxTime: { flags: '--max-time <seconds>', parse: seconds(1), usual: 3600, of: NOT_WHERE },
  equivalence: { flags: '--equivalence <percent>', parse: share, usual: '2%', of: ALL },
  failOn: { flags: '--fail-on <slower>', parse: slower, of: ['ab'] },
  repeats: { flags: '--repeats <n>', parse: whole(1, 1000) },
  seconds: { flags: '--seconds <seconds>', parse: seconds(8) },
  seed: { flags: '--seed <n>', parse: whole(0, 2 ** 31 - 1), usual: 'random, printed', of: ALL },
  out: { flags: '-o, --out <file>', usual: 'results/<time>-<suite>.json', of: ALL },
  resume: { flags: '--resume', of: ALL },
  quick: { flags: '--quick', of: ALL },
  asPublished: { flags: '--as-published' },
  json: { flags: '--json', of: ALL },
  plain: { flags: '--plain', of: ALL },
  where: { flags: '--where', of: NOT_WHERE },
  profileDir: { flags: '--profile-dir <folder>', usual: 'none', of: ALL },
  details: { flags: '--details', of: ALL },
  explain: { flags: '--explain', of: ALL },
  /** Of `report`; Commander gives it as `out` too. */
  reportOut: { flags: '-o, --out <file>', usual: 'stdout' },
  format: { flags: '--format <format>', choices: FORMATS, usual: 'terminal' },
  force: { flags: '--force' },
  from: { flags: '--from <folder>', usual: 'results' },
  pods: { flags: '--pods <n>', parse: whole(1, 1000) },
  namespace: { flags: '--namespace <name>' },
  image: { flags: '--image <name>' },
  storageClass: { flags: '--storage-class <name>', usual: "the cluster's own" },
  write: { flags: '--write <file>', usual: 'none' },
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof OPTIONS;
const isOption = (name: string): name is OptionName => name in OPTIONS;
export const OPTION_NAMES: readonly OptionName[] = Object.keys(OPTIONS).filter(isOption);

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

/** The options of a family, and perhaps another one, in the order of the help. */
export function optionsOf(family: Family, another?: OptionName): OptionName[] {
  return OPTION_NAMES.filter((name) => {
    const { of = [] }: OptionSpec = OPTIONS[name];
    return name === another || of.includes(family);
  });
}
