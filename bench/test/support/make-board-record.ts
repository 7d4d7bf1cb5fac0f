import type { RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { byRequest } from '../../src/targets/copies.ts';
import { textExchange } from '../../src/targets/exchange.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { isSelected } from '../../src/workload/select.ts';
import { type Happened, makeRecord, makeTarget } from './make-record.ts';
import { ownSuite, ownWorkload } from './own-workloads.ts';

/** What a request to /latest takes, ms of CPU: of the server, and of MariaDB. */
export type Costs = Record<string, [server: number, mariadb: number]>;

/** Costs as they were about once: what is dear is how the database is asked, and more so in Go. */
export const COSTS: Costs = {
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

const WORDS: Record<string, string> = {
  '-n-plus-one': 'five queries a post',
  '-static': 'home as a literal',
  '-prepared': 'prepared each time',
  '-sql-defaults': 'default pool',
  '-published': 'published settings',
};
/** Of servers that are no variants; one whose name begins with another's is before it. */
const LABELS: Record<string, string> = {
  ...{ 'elysia-2024': 'Elysia, Bun 1.1.37', 'fiber-2024': 'Fiber, Go 1.23.3' },
  ...{ 'net-http-2024': 'net/http, Go 1.23.3' },
  ...{ elysia: 'Elysia', fiber: 'Fiber', 'net-http': 'net/http' },
};
const CHANGES: Record<string, Record<string, string>> = {
  '-n-plus-one': { QUERIES: '5' },
  '-static': { HOME_PAGE: 'static' },
  '-prepared': { STATEMENTS: 'prepared' },
  '-sql-defaults': { POOL: 'defaults' },
};

/** The targets of the board of these names, one for each path. */
export function boardTargets(names: readonly string[] = Object.keys(COSTS)): LocalTarget[] {
  const requests = ['/home', '/latest'].map((path) => {
    return textExchange({ method: 'GET', path }, { status: 200, headers: {}, body: path });
  });
  const declared = names.map((name) => {
    const main = Object.keys(LABELS).find((each) => name === each || name.startsWith(`${each}-`));
    const suffix = name.slice(main?.length ?? 0);
    const label = LABELS[main ?? ''] ?? name;
    const isGo = !name.startsWith('elysia');
    const own: Partial<LocalTarget> = {
      ...{ suite: 'board', requests, services: { mariadb: { seed: null, seedFiles: null } } },
      scale: isGo ? { by: 'threads', env: 'GOMAXPROCS' } : { by: 'reuse-port' },
    };
    if (suffix === '') return makeTarget(name, { ...own, label });
    const variant = WORDS[suffix] ?? suffix;
    const all = isGo ? ['-n-plus-one', '-prepared'] : ['-n-plus-one'];
    const changed = suffix === '-published' ? all : [suffix];
    const env = Object.assign({}, ...changed.map((each) => CHANGES[each]));
    const base = main ?? null;
    const related = { label: `${label} (${variant})`, variant, env, variantOf: base, over: base };
    return makeTarget(name, { ...own, ...related });
  });
  return byRequest(declared).filter((target) => isSelected(target, ownWorkload('board').targets));
}

/** A record of the board in which requests take so much, and home pages 10 µs. */
export function makeBoardRecord({
  costs = COSTS,
  options = {},
  vary = () => 1,
  change = (happened) => happened,
  ...parts
}: {
  costs?: Costs;
  options?: Partial<RunOptions>;
  /** How much dearer than that requests to a server were in a launch. */
  vary?: (name: string, launch: number, round: number) => number;
  change?: (happened: Happened, target: string) => Happened | null;
} & Partial<
  Pick<RunRecord, 'failures' | 'wallNs' | 'firstTableNs' | 'harnessPeakBytes'>
> = {}): RunRecord {
  const targets = boardTargets(Object.keys(costs));
  const amounts = { topologies: ['single', 'max'], connections: 100, launches: 3 } as const;
  const usual = { ...amounts, topologies: [...amounts.topologies], durationS: 6, sliceS: 1 };
  return makeRecord(
    { suite: ownSuite('board'), targets, options: { ...usual, ...options }, ...parts },
    ({ target, topology, load }, launch, round) => {
      const path = targets.find(({ name }) => name === target)?.requests[0]?.request.path;
      const name = target.replace(/-(home|latest)$/, '');
      const [server = 1, mariadb = 1] = costs[name] ?? [];
      const isHome = path === '/home';
      const connections = Number(load.split('-')[1]);
      const times = vary(name, launch, round);
      const serverUs = (isHome ? (name.endsWith('-static') ? 8 : 10) : server * 1000) * times;
      const mariadbUs = isHome ? 0 : mariadb * 1000 * times;
      const cores = topology === 'single' ? 1 : 2;
      const ok = Math.round((cores * 1e6) / (serverUs + mariadbUs));
      const peakBytes = (name.startsWith('elysia') ? 100e6 : 20e6) + connections * 0.5e6;
      const services = {
        mariadb: { cpuNs: ok * mariadbUs * 1000, waitNs: 0, bytes: 240e6, peakBytes: 250e6 },
      };
      const latenciesMs = [(connections * 1000) / ok];
      const happened = { ok, latenciesMs, services, cpuUsPerResponse: serverUs, peakBytes };
      return change({ ...happened, bytesPerResponse: isHome ? 160 : 529_000 }, name);
    },
  );
}
