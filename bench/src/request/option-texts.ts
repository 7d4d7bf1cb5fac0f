/** A flag's texts: `-h` prints the short one, `--help` the long one. */
export interface OptionText {
  flags: string;
  short: string;
  long: string;
}

/** The texts of every option. */
export const TEXT = {
  targets: {
    flags: '-t, --targets <names>',
    short: 'names of targets, separated by commas, or all (default: those of the suite)',
    long: 'The targets: folder names of packages/, separated by commas, or "all" for those of all suites. Default: all whose "bench" block names the suite; to verify, all.',
  },
  topology: {
    flags: '--topology <list>',
    short: 'single, max, numbers of processes, …, separated by commas',
    long: 'How each target runs: "single" is one plain node process, a number N a pm2 cluster of N processes, "max" a pm2 cluster of as many processes as can run at once here; "cluster:N" is the same by Node\'s own cluster module, "pmx:N" under pm2 with its default monitoring, "fork" one process in pm2\'s fork mode. Separated by commas.',
  },
  connections: {
    flags: '-c, --connections <n>',
    short: 'connections at once',
    long: 'How many connections autocannon keeps open at once (a whole number). Both ends of each need a file descriptor. The cost load of the frameworks suite keeps its own 100.',
  },
  pipelining: {
    flags: '-p, --pipelining <n>',
    short: 'requests in flight on each connection',
    long: 'How many requests each connection has in flight (a whole number). The cost load of the frameworks suite keeps its own 10.',
  },
  rate: {
    flags: '--rate <rates>',
    short: 'requests at a rate, in an open loop: 500, 70% or 10%..95%',
    long: 'Sends requests at their planned times whatever the server does, and counts latency from there: so many a second (500), or a share of what the slowest server can answer (70%), which is measured first. Several separated by commas, or a range (10%..95%, 8 rates), give a latency-load curve. -c is then the most requests under way.',
  },
  driver: {
    flags: '--driver <name>',
    short: 'what sends requests at a rate',
    long: 'What sends requests at a rate: the pacer of this harness, or a program of that name where it is on the PATH.',
  },
  pm2Tax: {
    flags: '--pm2-tax',
    short: 'what pm2 costs a server, in each of its modes',
    long: 'Measures what a process manager costs: CPU per request and memory of one process under pm2 in fork mode, as a cluster of one, the same with its default monitoring, and under node:cluster, beside plain node. Of the Fastify server unless --targets says otherwise.',
  },
  duration: {
    flags: '-d, --duration <seconds>',
    short: 'measured seconds for each cell',
    long: 'Seconds of measurement for each cell (a target in a topology under a load): the sum of all its slices, over all launches. With --contiguous, and for the overload of the cluster suite, the unbroken length of each launch.',
  },
  slice: {
    flags: '--slice <seconds>',
    short: 'seconds of a slice (default: 1; at a rate 5)',
    long: 'Seconds of a slice, the unbroken piece of measurement that cells get in turn; adjusted so that whole slices fill -d. Shorter ones spread the noise of the machine more evenly over the cells, and cost more time between them. Default: 1; at a rate 5.',
  },
  launches: {
    flags: '--launches <n>',
    short: 'starts of all processes',
    long: 'How often all processes are started anew (a whole number). The interval of every figure comes from the differences between launches: with one launch there is none.',
  },
  warmup: {
    flags: '--warmup <seconds>',
    short: 'unmeasured seconds of load on each server after each start',
    long: 'Seconds of unmeasured load on each server after each start, so that the code is compiled before it is measured.',
  },
  until: {
    flags: '--until <percent>',
    short: 'go on until every ratio is known to ± this, as 2%',
    long: 'Goes on, launch by launch, until the 95 % interval of every ratio is at most ± this wide, as 2%: of requests/s, and under the cost load of CPU per request, of each target to the first one of its table. It looks at nothing but the width, so it does not favour differences.',
  },
  maxTime: {
    flags: '--max-time <seconds>',
    short: 'with --until, end after so long',
    long: 'With --until, begins no launch that would end later than so many seconds after the start.',
  },
  equivalence: {
    flags: '--equivalence <percent>',
    short: 'closer than this is the same',
    long: 'Two figures are called the same when they are shown to differ by no more than this.',
  },
  contiguous: {
    flags: '--contiguous',
    short: 'each cell unbroken, one after the other',
    long: "Runs each cell unbroken for -d seconds on processes of its own, one cell after the other, as autocannon's own command line would. One launch unless --launches says more.",
  },
  repeats: {
    flags: '--repeats <n>',
    short: 'measurements by each method',
    long: 'How often each method measures (a whole number), in turn. How far apart they come out can only be told from two on.',
  },
  seconds: {
    flags: '--seconds <seconds>',
    short: 'wall time of each measurement',
    long: 'The wall time of each measurement by either method, about: starting and stopping included.',
  },
  seed: {
    flags: '--seed <n>',
    short: 'seed of the random order (default: drawn and printed)',
    long: 'Seed of the random order of the cells within each round (a whole number). Default: drawn, and printed with the result.',
  },
  out: {
    flags: '-o, --out <file>',
    short: 'file for the record (default: results/<time>-<suite>.json)',
    long: 'The file for the record, a JSON file that "report" reads again. Default: results/<time>-<suite>.json. It is saved after every round.',
  },
  quick: {
    flags: '--quick',
    short: 'an answer with intervals in about a minute',
    long: 'Shorter and fewer slices: an answer with (wider) intervals in about a minute. Options given beside it win.',
  },
  json: {
    flags: '--json',
    short: 'the record on stdout instead of tables',
    long: 'Prints the record as JSON on stdout instead of the tables; everything else goes to stderr.',
  },
  details: {
    flags: '--details',
    short: "autocannon's own tables for every cell too",
    long: "Adds for every cell what autocannon's own tables show: latency at 2.5, 50, 97.5 and 99 %, average, deviation and maximum, and requests/s and bytes/s over the slices.",
  },
  packages: {
    flags: '--packages <folder>',
    short: 'the folder of the targets',
    long: 'The folder whose folders are the targets, to measure servers that live elsewhere.',
  },
} satisfies Record<string, OptionText>;
