/**
 * The layers of bench/src, in the order in which data flows: a layer imports from itself and from layers
 * before it. `over` is of layers of the ground, which stand on these alone.
 */
export const LAYERS = [
  { name: 'base', is: 'errors, exit codes, files and folders', over: [] },
  {
    name: 'math',
    is: 'statistics and queueing theory, which know nothing of servers',
    over: ['base'],
  },
  {
    name: 'system',
    is: 'the machine: its cores, processes, sockets, what they use',
    over: ['base'],
  },
  { name: 'services', is: 'databases and caches that servers need: what each takes and gives' },
  { name: 'targets', is: 'the servers that can be measured' },
  { name: 'request', is: 'the command line: what is asked for' },
  { name: 'plan', is: 'the request on this machine: topologies, loads, the order of everything' },
  { name: 'workload', is: 'what a folder of targets declares to be measured and shown' },
  { name: 'launch', is: 'starts servers, verifies them, and ends them' },
  { name: 'load', is: 'sends requests to them and measures' },
  { name: 'record', is: 'what was measured, as it is saved' },
  { name: 'run', is: 'carries a plan out and fills a record in' },
  { name: 'figures', is: 'the slices of a record as figures of one cell' },
  { name: 'validity', is: 'the flags: reasons not to trust a figure' },
  { name: 'summary', is: 'all that a report shows of a run' },
  { name: 'studies', is: "the harness's own tests: truth, price and methods" },
  { name: 'report', is: 'findings as text' },
  { name: 'suites', is: 'what each suite measures and shows' },
  { name: 'commands', is: 'one command each, from the request to the exit code' },
];

const SRC = '^bench/src/';
const inLayers = (layers) => `${SRC}(${layers.join('|')})/`;

const order = LAYERS.map(({ name, over }, index) => {
  const before = over ?? LAYERS.slice(0, index).map((layer) => layer.name);
  return {
    name: 'against-the-order-of-layers',
    comment: 'A layer imports only from itself and from layers before it: bench/layers.js.',
    severity: 'error',
    from: { path: inLayers([name]) },
    to: { path: SRC, pathNot: inLayers([name, ...before]) },
  };
});

/** What `depcruise` checks, in the root of the workspace: types count, and so do circles of them. */
export default {
  forbidden: [
    ...order,
    {
      name: 'in-a-circle',
      comment: 'Files must not import each other in a circle.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'in-no-layer',
      comment:
        'A file of bench/src is in one of the layers of bench/layers.js, or it is cli.ts, index.ts or remote.ts.',
      severity: 'error',
      // Holds for every such file: the tool has no rule about files alone.
      module: {
        path: SRC,
        pathNot: [inLayers(LAYERS.map(({ name }) => name)), `${SRC}(cli|index|remote)\\.ts$`],
        numberOfDependentsLessThan: 100,
      },
      from: {},
    },
  ],
  options: {
    parser: 'tsc',
    // As written: imports of types alone are gone from what that compiles to.
    tsPreCompilationDeps: true,
    includeOnly: SRC,
  },
};
