import type { RunRecord } from '../../src/record/record.ts';
import { perRequest } from '../../src/targets/copies.ts';
import { textExchange } from '../../src/targets/exchange.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { isSelected } from '../../src/workload/loads.ts';
import { makeRecord, makeTargets, type Recorded, type TargetRow } from './make-record.ts';
import { ownSuite, ownWorkload } from './own-workloads.ts';

/** CPU time of a request to /latest in the server and in MariaDB, ms, as once measured: queries matter most. */
const COSTS: Record<string, [server: number, mariadb: number]> = {
  elysia: [4, 2],
  'elysia-n-plus-one': [25, 22],
  'elysia-static': [4, 2],
  'elysia-published': [25, 22],
  fiber: [1.6, 2],
  'fiber-n-plus-one': [10, 20],
  'fiber-prepared': [1.7, 2.2],
  'fiber-sql-defaults': [1.7, 2.4],
  'fiber-published': [24, 36],
  'net-http': [1.5, 2],
  'elysia-2024': [26, 22],
  'fiber-2024': [26, 37],
  'net-http-2024': [25, 37],
};

const FIVE = { QUERIES: '5' };
const PREPARED = { STATEMENTS: 'prepared' };
const LABELS = { elysia: 'Elysia', fiber: 'Fiber' };
const variant = (of: keyof typeof LABELS, suffix: string, words: string, env: TargetRow[4]) => {
  return [`${of}-${suffix}`, `${LABELS[of]} (${words})`, of, words, env] as TargetRow;
};
const ROWS: TargetRow[] = [
  ['elysia', 'Elysia'],
  variant('elysia', 'n-plus-one', 'five queries a post', FIVE),
  variant('elysia', 'static', 'home as a literal', { HOME_PAGE: 'static' }),
  variant('elysia', 'published', 'published settings', FIVE),
  ['fiber', 'Fiber'],
  variant('fiber', 'n-plus-one', 'five queries a post', FIVE),
  variant('fiber', 'prepared', 'prepared each time', PREPARED),
  variant('fiber', 'sql-defaults', 'default pool', { POOL: 'defaults' }),
  variant('fiber', 'published', 'published settings', { ...FIVE, ...PREPARED }),
  ['net-http', 'net/http'],
  ['elysia-2024', 'Elysia, Bun 1.1.37'],
  ['fiber-2024', 'Fiber, Go 1.23.3'],
  ['net-http-2024', 'net/http, Go 1.23.3'],
];

/** The targets of the board with these names, split by path. */
export function boardTargets(names: readonly string[] = Object.keys(COSTS)): LocalTarget[] {
  const requests = ['/home', '/latest'].map((path) => textExchange(path, { path }));
  const all = makeTargets(ROWS, (name) => ({
    ...{ suite: 'board', requests, services: { mariadb: { seed: null, seedFiles: null } } },
    scale: name.startsWith('elysia') ? { by: 'reuse-port' } : { by: 'threads', env: 'GOMAXPROCS' },
  }));
  const own = names.flatMap((name) => all.filter((target) => target.name === name));
  return perRequest(own).filter((target) => isSelected(target, ownWorkload('board').targets));
}

interface Parts extends Omit<Recorded, 'suite' | 'targets'> {
  /** A factor of the cost of requests to a server in a slice. */
  vary?: (name: string, launch: number, round: number) => number;
}

/** A record of the board; home pages cost 10 µs. */
export function makeBoardRecord({ vary = () => 1, ...parts }: Parts = {}): RunRecord {
  const targets = boardTargets();
  const options: Recorded['options'] = {
    ...{ topologies: ['single', 'max'], connections: 100, launches: 3, durationS: 6, sliceS: 1 },
    ...parts.options,
  };
  return makeRecord(
    { suite: ownSuite('board'), targets, ...parts, options },
    ({ target, topology, load }, launch, round) => {
      const name = target.replace(/-(home|latest)$/, '');
      const isHome = target.endsWith('-home');
      const [server = 1, mariadb = 1] = COSTS[name] ?? [];
      const connections = Number(load.split('-')[1]);
      const times = vary(name, launch, round);
      const serverUs = (isHome ? (name.endsWith('-static') ? 8 : 10) : server * 1000) * times;
      const mariadbUs = isHome ? 0 : mariadb * 1000 * times;
      const ok = Math.round(((topology === 'single' ? 1 : 2) * 1e6) / (serverUs + mariadbUs));
      const used = { cpuNs: ok * mariadbUs * 1000, waitNs: 0, bytes: 240e6 };
      return {
        ok,
        latenciesMs: [(connections * 1000) / ok],
        cpuUsPerResponse: serverUs,
        services: { mariadb: used },
        peakBytes: (name.startsWith('elysia') ? 100e6 : 20e6) + connections * 0.5e6,
        bytesPerResponse: isHome ? 160 : 529_000,
      };
    },
  );
}
