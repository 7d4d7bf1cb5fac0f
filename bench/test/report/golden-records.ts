import type { RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster as clusterSuite } from '../../src/suites/cluster.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import { failuresOf } from '../support/failures.ts';
import { makeBidderRecord } from '../support/make-bidder-record.ts';
import { makeBoardRecord } from '../support/make-board-record.ts';
import { makeImageRecord } from '../support/make-image-record.ts';
import { makeLadderRecord } from '../support/make-ladder-record.ts';
import { makeLimitedRecord } from '../support/make-limited-record.ts';
import {
  type Happened,
  makeMachine,
  makeRecord,
  makeTarget,
  type Story,
} from '../support/make-record.ts';
import { BUN, NEW, OLD } from '../support/make-runtimes.ts';
import { makeWhereRecord } from '../support/make-where-record.ts';

/** Makes a record at its first use. All tests share it, so nobody may change it. */
function once(make: () => RunRecord): () => RunRecord {
  let made: RunRecord | null = null;
  return () => (made ??= frozen(make()));
}

const TIMES = { wallNs: 305e9, firstTableNs: 21e9, harnessPeakBytes: 118.4e6 };

function recordOf(parts: Parameters<typeof makeRecord>[0], story: Story): () => RunRecord {
  return once(() => makeRecord({ ...TIMES, ...parts }, story));
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}

const FRAMEWORKS = [
  makeTarget('express-app', { label: 'Express', over: 'node-http' }),
  makeTarget('fastify-app', { label: 'Fastify', over: 'node-http' }),
  makeTarget('nest-express', { label: 'Nest + Express', over: 'express-app' }),
  makeTarget('nest-fastify', { label: 'Nest + Fastify', over: 'fastify-app' }),
  makeTarget('node-http', { label: 'node:http' }),
];

/** CPU µs per request as a single process under the published load, and bytes of a response. */
const COSTS: Record<string, [cpuUs: number, bytes: number]> = {
  'express-app': [65, 246],
  'fastify-app': [21.5, 183],
  'nest-express': [73, 251],
  'nest-fastify': [28, 188],
  'node-http': [18.2, 171],
};

/** A little noise, different for everything that has another name, the same in every test. */
function noise(amount: number, ...names: (string | number)[]): number {
  const sum = [...names.join('/')].reduce((hash, letter) => {
    return (hash * 31 + letter.charCodeAt(0)) % 65_521;
  }, 0);
  const mixed = Math.sin(sum) * 10_000;
  return 1 + amount * (2 * (mixed - Math.floor(mixed)) - 1);
}

/** Frameworks: clusters are faster, each request under the cost load is cheaper, and dearer at a low rate. */
const measured: Story = ({ id, target, topology, load }, launch, round) => {
  const [cpuUs, bytesPerResponse] = COSTS[target] ?? [100, 100];
  const processes = topology === 'single' ? 1 : Number(topology);
  const noisy = noise(0.03, launch, round) * noise(0.015, id, launch, round, 'CPU');
  const cpuUsPerResponse = cpuUs * (load === 'cost' ? 0.7 : 1) * (1 + processes / 20) * noisy;
  if (load === 'low') {
    const ok = Math.round(950 * noise(0.02, id, launch, 'speed'));
    const parts = { bytesPerResponse, harnessCpuMs: 4, serverBytes: 50e6 + cpuUs * 1e6 };
    return { ok, cpuUsPerResponse: 2 * cpuUsPerResponse, latenciesMs: [1e3 / ok], ...parts };
  }
  const speedUp = Math.min(processes, 2.5) * noise(0.02, id, launch, round, 'speed');
  const ok = Math.round((1e6 / cpuUsPerResponse) * speedUp);
  const typicalMs = 1e6 / ok;
  return {
    ...{ ok, bytesPerResponse, cpuUsPerResponse, harnessCpuMs: 4 },
    serverBytes: (50e6 + cpuUs * 1e6) * processes,
    managerBytes: processes > 1 ? 62e6 : 0,
    // Their mean is 1: there are always 1,000 requests under way, and Little's law holds.
    latenciesMs: [0.5, 0.8, 0.9, 0.9, 0.9, 0.9, 1, 1.2, 1.9].map((share) => share * typicalMs),
    ...(target === 'express-app' && topology === '4' ? { timedOut: 3, disconnected: 1 } : {}),
    ...(target === 'nest-express' && topology === '2' ? { wrongBody: 7 } : {}),
  };
};

const TOPOLOGIES = { topologies: ['single', 'max', 2] } satisfies Partial<RunOptions>;
const SLICED = { ...TOPOLOGIES, launches: 3, durationS: 9, seed: 1234 };
export const frameworks = recordOf({ targets: FRAMEWORKS, options: SLICED }, measured);

/** The first launch has gone well until the user ended it; a server failed, others were not reached. */
export const cutShort = recordOf(
  {
    ...{ state: 'interrupted', targets: FRAMEWORKS, options: SLICED },
    machine: makeMachine({ cores: [0, 1], parallelism: 2 }),
    failures: [
      {
        ...{ server: 'nest-express/2', launch: 0, when: 'verify', died: false },
        message: 'it answered with status 404 instead of 200',
        logTail: ['[Nest] LOG Nest application started', 'Error: no route for GET /'],
      },
    ],
  },
  (cell, launch, round) => {
    if (launch > 0 || round > 0 || cell.load === 'cost') return null;
    return measured(cell, launch, round);
  },
);

/** What a request to a CPU-bound endpoint takes of a core, ms. */
const SERVICE_MS = 95;
const WAITING = 10_000;

/** A CPU-bound endpoint: requests alone, as many as can be answered, and far more than that. */
const cpuBound: Story = ({ id, topology, load }, launch, round): Happened => {
  const processes = topology === 'single' ? 1 : Number(topology);
  const serviceMs = SERVICE_MS * noise(0.02, id, launch, round);
  const common = {
    bytesPerResponse: 233,
    cpuUsPerResponse: serviceMs * 1000,
    harnessCpuMs: 12,
    serverBytes: processes * 98e6,
    managerBytes: topology === 'single' ? 0 : 62e6,
  };
  if (load === 'alone') return { ...common, ok: 40, windowS: 3.8, latenciesMs: [serviceMs + 0.8] };
  if (load === 'feasible') {
    const ok = Math.round(((3800 * processes) / serviceMs) * 0.985);
    // Of 16 requests under way, by Little's law.
    const typicalMs = (16 * 3800) / ok;
    const latenciesMs = [0.9, 0.97, 1, 1, 1.03, 1.1].map((share) => share * typicalMs);
    return { ...common, ok, windowS: 3.8, latenciesMs };
  }
  const ok = Math.round(20 * processes * noise(0.1, id, launch));
  const latenciesMs = [2471, 4104, 5432.9, 7970, 9870].map((ms) => ms * noise(0.01, id, launch));
  const waits = (ms: number) => Array.from({ length: WAITING }, () => ms);
  return {
    ...{ ...common, cpuUsPerResponse: (9.8e6 * processes) / ok },
    ...{ ok, latenciesMs, windowS: 10, timedOut: WAITING, inFlight: WAITING },
    ...{ lostAgesMs: waits(10_004), inFlightAgesMs: waits(4000) },
  };
};

export const cluster = recordOf(
  {
    suite: clusterSuite,
    targets: [makeTarget('fib-cpu', { suite: 'cluster', label: 'fibonacci(35)' })],
    pilot: { kind: 'service', server: 'fib-cpu/single', serviceNs: SERVICE_MS * 1e6 },
    options: { ...TOPOLOGIES, pipelining: 10, launches: 3, durationS: 10, sliceS: 10 },
  },
  cpuBound,
);

/** Endpoints of which something is missing or not as usual, with what happens to each. */
const MIXED: Record<string, (usual: Happened, ...when: Parameters<Story>) => Happened | null> = {
  failing: (usual) => usual,
  // Alone it waits for something else, and some answers are wrong. It answers the whole overload.
  waiting: (usual, { load }) => {
    if (load === 'alone') return { ...usual, cpuUsPerResponse: 5000, wrongBody: 3 };
    if (load === 'feasible') return { ...usual, cpuUsPerResponse: 60 };
    return { ok: 50_000, windowS: 10, latenciesMs: [1000], cpuUsPerResponse: 60 };
  },
  // Nothing of the overload is answered, and nobody looked how long requests waited.
  unreached: (usual, { topology, load }) => {
    if (topology === 'single' || topology === '4') return null;
    return load === 'feasible' ? usual : { windowS: 10, inFlight: WAITING };
  },
  // No request came alone. In the overload a server had not settled in the first launch.
  wrong: (usual, { topology, load }, launch) => {
    if (load === 'alone') return null;
    const hasSettled = load === 'feasible' || topology !== '2' || launch > 0;
    return { ...usual, wrongStatus: 2, disconnected: 4, hasSettled };
  },
};

export const clusterMixed = recordOf(
  {
    suite: clusterSuite,
    targets: Object.keys(MIXED).map((name) => makeTarget(name, { suite: 'cluster' })),
    pilot: { kind: 'service', server: 'failing/single', serviceNs: SERVICE_MS * 1e6 },
    failures: failuresOf('failing/2', [0, 1, 2, 3]),
    options: {
      topologies: ['single', 'max', 2, 'cluster:2'],
      ...{ connections: 500, pipelining: 10, launches: 4, durationS: 10, sliceS: 10 },
    },
  },
  (cell, launch, round) => {
    const topology = cell.topology.replace('cluster:', '');
    const usual = cpuBound({ ...cell, topology }, launch, round);
    return (usual && MIXED[cell.target]?.(usual, cell, launch, round)) ?? null;
  },
);

/** Requests at a rate: they come alone at low ones, queue at high ones, and pile up beyond the limit. */
const paced: Story = ({ id, target, topology, load }, launch, round): Happened => {
  const [cpuUs, bytesPerResponse] = COSTS[target] ?? [100, 100];
  const ratePerS = Number(load.replace('rate-', ''));
  const processes = topology === 'single' ? 1 : Number(topology);
  const busy = (ratePerS * cpuUs) / (1e6 * processes);
  const cpuUsPerResponse = cpuUs * (1.1 + Math.max(0, 1 - busy)) * noise(0.03, id, launch, round);
  const windowS = 2;
  const planned = ratePerS * windowS;
  const ok = Math.round(planned * Math.min(1, 1 / busy));
  const typicalMs = busy < 1 ? 0.15 + cpuUs / 1000 / (1 - busy) : 400 * busy;
  const cores = (ok * cpuUsPerResponse) / windowS / 1e6;
  const [serverBytes, managerBytes] = [processes * (40e6 + cpuUs * 4e5), processes > 1 ? 62e6 : 0];
  const second = {
    ns: 1e9,
    cpuNs: { server: cores * 1e9, manager: managerBytes === 0 ? 0 : 2e6 },
    bytes: { server: serverBytes, manager: managerBytes },
    services: {},
  };
  return {
    ...{ ok, windowS, bytesPerResponse, cpuUsPerResponse, serverBytes, managerBytes },
    ...{ inFlight: planned - ok, latenciesMs: [0.7, 0.8, 0.9, 1, 1.6].map((x) => x * typicalMs) },
    pace: { late: ratePerS > 14_000 ? Math.round(0.02 * planned) : 0, latenessMs: [0.05, 1.4] },
    series: [second, second],
  };
};

const PACED = { launches: 3, durationS: 12, sliceS: 2 };

export const rate = recordOf(
  {
    suite: ratesOf('frameworks'),
    targets: FRAMEWORKS,
    options: { ...TOPOLOGIES, ...PACED, rates: [{ kind: 'per second', perS: 500 }] },
  },
  paced,
);

const SHARES = [0.1, 0.221, 0.343, 0.464, 0.586, 0.7, 0.829, 1.05];

/** From little to nearly all that the slowest server can answer, and what that is. */
export const curve = recordOf(
  {
    suite: ratesOf('frameworks'),
    targets: [...FRAMEWORKS, makeTarget('slow', { label: 'slow app', over: 'node-http' })],
    pilot: { kind: 'capacity', server: 'slow/single', perS: 15_000 },
    options: { ...PACED, rates: SHARES.map((share) => ({ kind: 'share', share })) },
  },
  paced,
);

/** CPU and memory over those of plain `node`. */
const TAXES: Record<string, [cpu: number, managerBytes: number]> = {
  single: [1, 0],
  fork: [1.001, 58e6],
  '1': [1.058, 60e6],
  'pmx:1': [1.088, 61e6],
  'cluster:1': [1.049, 41e6],
};

const TAXED = { connections: 100, pipelining: 10, launches: 3, durationS: 9 };

export const tax = recordOf(
  {
    suite: pm2Tax,
    targets: [makeTarget('fastify-app', { label: 'Fastify' })],
    options: { topologies: ['single', 'fork', 1, 'pmx:1', 'cluster:1'], ...TAXED },
  },
  (cell, launch, round) => {
    const [share, managerBytes] = TAXES[cell.topology] ?? [2, 0];
    const machine = noise(0.03, launch, round);
    const cpuUsPerResponse = 15 * share * machine * noise(0.004, cell.id, launch, round);
    const ok = Math.round(1e6 / cpuUsPerResponse);
    return { ok, cpuUsPerResponse, latenciesMs: [1e6 / ok], serverBytes: 82e6, managerBytes };
  },
);

/** Of one target a server failed, of the other plain node. One manager costs less, one can't be told. */
export const taxMixed = recordOf(
  {
    suite: pm2Tax,
    targets: [
      makeTarget('express-app', { label: 'Express' }),
      makeTarget('fastify-app', { label: 'Fastify' }),
    ],
    failures: [...failuresOf('express-app/1'), ...failuresOf('fastify-app/single')],
    options: { topologies: ['single', 'fork', 1, 'pmx:1', 'cluster:2'], ...TAXED },
  },
  ({ topology }, launch) => {
    const costs: Record<string, number> = { fork: 9 + launch, 'pmx:1': 9 };
    const cpuUsPerResponse = costs[topology] ?? 10;
    const ok = Math.round(1e6 / cpuUsPerResponse);
    return { ok, cpuUsPerResponse, latenciesMs: [1e6 / ok] };
  },
);

/** A message board: each path with three numbers of connections, and what its choices cost. */
export const board = once(() =>
  makeBoardRecord({
    ...TIMES,
    options: { connections: 50 },
    vary: (name, launch, round) => noise(0.03, launch, round) * noise(0.01, name, launch, round),
    failures: [
      {
        ...{ server: 'net-http-latest/4', launch: 1, when: 'slice', died: true },
        ...{ message: 'one of its processes died under load', logTail: ['killed'] },
      },
    ],
  }),
);

export const oneLaunch = recordOf(
  { targets: FRAMEWORKS, options: { contiguous: true, launches: 1, durationS: 30, sliceS: 30 } },
  measured,
);

/** A framework, what it is built on, and a variant of it. */
const PORTED = [
  makeTarget('node-http', { label: 'node:http' }),
  makeTarget('express-app', {
    ...{ label: 'Express', over: 'node-http' },
    services: { redis: { seed: null, seedFiles: null } },
  }),
  makeTarget('nest-express', {
    ...{ label: 'Nest + Express', over: 'node-http', variantOf: 'express-app' },
  }),
];

/** On three runtimes: Bun takes half; the old Node, for the framework alone, a tenth more. Its Redis died once. */
export const runtimes = recordOf(
  {
    targets: perRuntime(PORTED, [NEW, OLD, BUN]),
    pilot: {
      ...{ kind: 'learnt', server: 'express-app', serviceNs: 2e6, cpuNs: 1e6 },
      ...{ bytes: 12, pipelines: true },
    },
    options: { topologies: ['single', 2], launches: 3, durationS: 6 },
    services: [0, 1, 2].map((launch) => {
      return { name: 'redis', launch, version: '7.0.15', idleNsPerS: 1e6 };
    }),
    serviceFailures: [
      {
        ...{ name: 'redis', launch: 1, when: 'slice', message: 'its process died' },
        ...{ logTail: ['out of memory'], servers: ['express-app@bun-1.4.5/single'] },
      },
    ],
  },
  (cell, launch, round) => {
    const [target = '', runtime] = cell.target.split('@');
    const { cpuUsPerResponse = 0, ...happened } =
      measured({ ...cell, target }, launch, round) ?? {};
    const isDearer = target === 'express-app' && runtime === 'node-22.1.0';
    const times = runtime === 'bun-1.4.5' ? 0.5 : isDearer ? 1.1 : 1;
    const needsRedis = target === 'express-app';
    const services = needsRedis ? { redis: { cpuNs: 50e6, waitNs: 0, bytes: 8e6 } } : {};
    return { ...happened, cpuUsPerResponse: cpuUsPerResponse * times, services };
  },
);

/** Under three CPU limits more threads are better, not known to be, or worse. */
export const limits = once(() => {
  const p99Ms = (threads: number, launch: number, cores: number) => {
    if (cores === 0.25) return threads === 2 ? 10 * 4 ** (launch - 1) : 10;
    return (cores < 0.25 ? 20 / threads : 20 * threads) * noise(0.05, threads, launch);
  };
  return { ...makeLimitedRecord({ limits: [0.03, 0.25, 0.5], p99Ms }), ...TIMES };
});

function machineNoise(id: string, launch: number, round: number): number {
  return noise(0.03, launch, round) * noise(0.01, id, launch, round, 'CPU');
}

export const bidder = once(() => makeBidderRecord({ noise: machineNoise }));

export const ladder = once(() => makeLadderRecord({ noise: machineNoise }));

export const image = once(() => ({ ...makeImageRecord(), ...TIMES }));

export const where = once(() => ({ ...makeWhereRecord(), ...TIMES }));

export const RECORDS = {
  ...{ frameworks, 'cut-short': cutShort, 'one-launch': oneLaunch, 'pm2-tax': tax },
  ...{ cluster, rate, curve, board, bidder, ladder, image, where, runtimes, limits },
  ...{ 'cluster-mixed': clusterMixed, 'pm2-tax-mixed': taxMixed },
};
