import type { RunOptions } from '../../src/options.ts';
import type { RunRecord } from '../../src/record.ts';
import { type Happened, makeMachine, makeRecord, makeTarget, type Story } from '../make-record.ts';

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

/** Frameworks: clusters are faster, each request under the cost load is cheaper. */
const measured: Story = ({ id, target, topology, load }, launch, round) => {
  const [cpuUs, bytesPerResponse] = COSTS[target] ?? [100, 100];
  const processes = topology === 'single' ? 1 : Number(topology);
  const machine = noise(0.03, launch, round);
  const cpuUsPerResponse =
    cpuUs *
    (load === 'cost' ? 0.7 : 1) *
    (1 + processes / 20) *
    machine *
    noise(0.015, id, launch, round, 'CPU');
  const speedUp = Math.min(processes, 2.5) * noise(0.02, id, launch, round, 'speed');
  const ok = Math.round((1e6 / cpuUsPerResponse) * speedUp);
  const typicalMs = 1e3 / (ok / 1000);
  return {
    ok,
    bytesPerResponse,
    cpuUsPerResponse,
    harnessCpuMs: 4,
    serverBytes: (50e6 + cpuUs * 1e6) * processes,
    managerBytes: processes > 1 ? 62e6 : 0,
    latenciesMs: [0.5, 0.9, 1, 1, 1, 1, 1.1, 1.3, 2].map((share) => share * typicalMs),
    ...(target === 'express-app' && topology === '4' ? { timedOut: 3, disconnected: 1 } : {}),
  };
};

const TOPOLOGIES = { topologies: ['single', 'max', 2] } satisfies Partial<RunOptions>;
const SLICED = { ...TOPOLOGIES, launches: 3, durationS: 9, seed: 1234 };
const TIMES = { wallNs: 305e9, firstTableNs: 21e9, harnessPeakBytes: 118.4e6 };

export const frameworks = (): RunRecord =>
  makeRecord({ targets: FRAMEWORKS, options: SLICED, ...TIMES }, measured);

/** The first launch has gone well until the user ended it; a server failed, others were not reached. */
export const cutShort = (): RunRecord =>
  makeRecord(
    {
      ...TIMES,
      state: 'interrupted',
      targets: FRAMEWORKS,
      options: SLICED,
      machine: makeMachine({ cores: [0, 1], parallelism: 2 }),
      failures: [
        {
          server: 'nest-express/2',
          launch: 0,
          when: 'verify',
          message: 'it answered with status 404 instead of 200',
          lastWords: ['[Nest] LOG Nest application started', 'Error: no route for GET /'],
          died: false,
        },
      ],
    },
    (cell, launch, round) => {
      if (launch > 0 || round > 0 || cell.load === 'cost') return null;
      return measured(cell, launch, round);
    },
  );

/** A CPU-bound endpoint under an overload that it can't answer. */
const overloaded: Story = ({ id, topology }, launch): Happened => {
  const processes = topology === 'single' ? 1 : Number(topology);
  const ok = Math.round(20 * processes * noise(0.1, id, launch));
  const latenciesMs = [2471, 4104, 5432.9, 7970, 9870, 10_901].map(
    (ms) => ms * noise(0.1, id, launch),
  );
  return {
    ok,
    latenciesMs,
    windowS: 10,
    timedOut: 10_000,
    inFlight: 10_000,
    bytesPerResponse: 233,
    cpuUsPerResponse: 95_000 * noise(0.02, launch, id),
    harnessCpuMs: 12,
    serverBytes: processes * 98e6,
    managerBytes: processes > 1 ? 62e6 : 0,
  };
};

export const cluster = (): RunRecord =>
  makeRecord(
    {
      ...TIMES,
      targets: [makeTarget('fib-cpu', { suite: 'cluster', label: 'fibonacci(35)' })],
      options: {
        ...TOPOLOGIES,
        ...{ suite: 'cluster', contiguous: true, pipelining: 10, launches: 3 },
        ...{ durationS: 10, sliceS: 10 },
      },
    },
    overloaded,
  );

/** One launch: there is no interval. */
export const oneLaunch = (): RunRecord =>
  makeRecord(
    {
      ...TIMES,
      targets: FRAMEWORKS,
      options: { ...{ contiguous: true, launches: 1 }, ...{ durationS: 30, sliceS: 30 } },
    },
    measured,
  );
