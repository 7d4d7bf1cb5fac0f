import { sum } from '../../src/figures/figures.ts';
import type { RunRecord, Start } from '../../src/record/record.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeRecord, makeTargets, type Recorded, type TargetRow } from './make-record.ts';
import { ownSuite } from './own-workloads.ts';

const REPEATED = { CANDIDATES: 'repeated' };
const JSON_TEXT = { FORMAT: 'json' };
const LOGGED = { LOG: 'default' };
const RANDOM = { CHOICE: 'random' };
const NEST_STEP_1 = { ...RANDOM, ...JSON_TEXT, ...REPEATED };
const GIN_STEP_1 = { ...NEST_STEP_1, ...LOGGED };

const ROWS: TargetRow[] = [
  ['fastify', 'Fastify'],
  ['gin', 'Gin'],
  ['gin-random', 'Gin (random)', 'gin', 'random key', RANDOM],
  ['gin-logged', 'Gin (…, logger)', 'gin-random', 'logger', LOGGED],
  ['gin-json', 'Gin (…, JSON)', 'gin-logged', 'JSON', JSON_TEXT],
  ['gin-repeated', 'Gin (…, repeated)', 'gin-json', 'repeated', REPEATED],
  ['gin-only-logged', 'Gin (only logger)', 'gin', 'only logger', LOGGED],
  ['gin-only-json', 'Gin (only JSON)', 'gin', 'only JSON', JSON_TEXT],
  ['gin-only-repeated', 'Gin (only repeated)', 'gin', 'only repeated', REPEATED],
  ['gin-one', 'Gin (one connection)', 'gin', 'one connection', { REDIS_POOL: '1' }],
  ['gin-2025', 'Gin 1.11'],
  ['gin-2025-random', 'Gin 1.11 (random)', 'gin-2025', 'random key', RANDOM],
  ['gin-2025-repeated', 'Gin 1.11 (repeated)', 'gin-2025', 'repeated', GIN_STEP_1],
  ['nest', 'Nest'],
  ['nest-random', 'Nest (random)', 'nest', 'random key', RANDOM],
  ['nest-json', 'Nest (…, JSON)', 'nest-random', 'JSON', JSON_TEXT],
  ['nest-repeated', 'Nest (…, repeated)', 'nest-json', 'repeated', REPEATED],
  ['nest-only-json', 'Nest (only JSON)', 'nest', 'only JSON', JSON_TEXT],
  ['nest-only-repeated', 'Nest (only repeated)', 'nest', 'only repeated', REPEATED],
  ['nest-2025', 'Nest 11'],
  ['nest-2025-random', 'Nest 11 (random)', 'nest-2025', 'random key', RANDOM],
  ['nest-2025-repeated', 'Nest 11 (repeated)', 'nest-2025', 'repeated', NEST_STEP_1],
];

/** The bidders: published steps of two of them, and a variant that is none of these steps. */
export const BIDDERS: LocalTarget[] = makeTargets(ROWS, (name) => {
  const shared = { suite: 'bidder', services: { redis: { seed: null, seedFiles: null } } } as const;
  return name.startsWith('gin')
    ? { ...shared, scale: { by: 'threads', env: 'GOMAXPROCS' }, start: ['dist/server'] }
    : { ...shared, start: ['node', 'main.js'] };
});

/** CPU of a request without changes in each server, and in Redis, µs. */
const MAINS: Record<string, number> = { nest: 500, gin: 300, fastify: 380 };
const REDIS = 60;
/** What a change adds to a server, by name of the server and value of the variable. */
const CHANGES: Record<string, number> = {
  'gin/repeated': -40,
  'gin/default': 30,
  'gin/json': 450,
  'gin/1': 5,
  'nest/repeated': -20,
  'nest/json': 150,
};
/** What a change adds to Redis, by value of the variable. */
const REDIS_CHANGES: Record<string, number> = { repeated: -15, json: 20 };

function costOf(name: string) {
  const main = name.split('-')[0] ?? '';
  const values = Object.values(BIDDERS.find((each) => each.name === name)?.env ?? {});
  return {
    server: sum(values, (value) => CHANGES[`${main}/${value}`] ?? 0) + (MAINS[main] ?? 0),
    redis: sum(values, (value) => REDIS_CHANGES[value] ?? 0) + REDIS,
  };
}

interface Parts extends Pick<Recorded, 'options' | 'targets'> {
  /** A factor of the cost of each slice, by its cell. */
  noise?: (id: string, launch: number, round: number) => number;
  without?: (id: string) => boolean;
}

/** Memory of a server, MB. */
const MEMORY: Record<string, number> = { nest: 300, gin: 30, fastify: 120 };
const IDLE_NS_PER_S = 2e6;
const LAUNCHES = [0, 1, 2];

export function makeBidderRecord(parts: Parts = {}): RunRecord {
  const { noise = () => 1, without = () => false, targets = BIDDERS } = parts;
  const memoryOf = (name: string) => (MEMORY[name.split(/[-/]/)[0] ?? ''] ?? 0) * 1e6;
  const amounts = { connections: 100, launches: 3, durationS: 36, sliceS: 6 };
  const record = makeRecord(
    {
      suite: ownSuite('bidder'),
      targets,
      options: { topologies: ['single', 'pmx:2', 2], ...amounts, ...parts.options },
      pilot: { kind: 'singleRequest', server: 'gin-only-json/single', cpuNs: 7.4e5 },
      services: LAUNCHES.map((launch) => {
        return { name: 'redis', launch, version: '7.0.15', idleNsPerS: IDLE_NS_PER_S };
      }),
      wallNs: 905e9,
      firstTableNs: 41e9,
      harnessPeakBytes: 118.4e6,
    },
    (cell, launch, round) => {
      if (without(cell.id)) return null;
      const cost = costOf(cell.target);
      const times = noise(cell.id, launch, round);
      const windowS = 2;
      const isLimit = cell.load === 'limit';
      // At the limit a server is busy all the time, with 100 requests in flight.
      const perS = isLimit ? Math.round(1e6 / cost.server) : cell.load === 'quiet' ? 300 : 500;
      const ok = perS * windowS;
      const serverBytes = memoryOf(cell.target);
      const redisNs = ok * cost.redis * times * 1000 + IDLE_NS_PER_S * windowS;
      const second = {
        ns: 1e9,
        cpuNs: { server: perS * cost.server * times * 1000, manager: 0 },
        bytes: { server: serverBytes, manager: 0 },
        services: { redis: { cpuNs: redisNs / windowS, bytes: 9e6 } },
      };
      return {
        ...{ ok, windowS, cpuUsPerResponse: cost.server * times, serverBytes },
        latenciesMs: [isLimit ? 1e5 / perS : cost.server / 500],
        services: { redis: { cpuNs: redisNs, waitNs: 0, bytes: 9e6 } },
        ...(isLimit ? {} : { series: [second, second] }),
      };
    },
  );
  const servers = [...new Set(record.plan.cells.map(({ server }) => server))];
  const starts = servers.flatMap((server): Start[] => {
    const start = { server, bytes: memoryOf(server) * 0.6, startNs: null, judged: [] };
    return LAUNCHES.map((launch) => ({ ...start, launch }));
  });
  return { ...record, starts };
}
