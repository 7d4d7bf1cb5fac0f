import type { RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeMachine, makeRecord, makeTarget } from './make-record.ts';
import { ownSuite } from './own-workloads.ts';

const RUNGS = ['json', 'body', 'error'] as const;
type Rung = (typeof RUNGS)[number] | 'text';
const SERVICES = { mariadb: { seed: null, seedFiles: null } };

/** A framework with three rungs and a branch beside them; the highest needs a service. */
function framework(name: string, label: string, over: string | null): LocalTarget[] {
  const rung = (what: (typeof RUNGS)[number], base: string) => {
    return makeTarget(`${name}-${what}`, {
      ...{ suite: 'ladder', label: `${label}: ${what}`, env: { RUNG: what }, variant: what },
      ...{ variantOf: base, over: base, services: what === 'body' ? SERVICES : {} },
    });
  };
  return [
    makeTarget(name, { suite: 'ladder', label, over, env: { RUNG: 'text' } }),
    rung('json', name),
    rung('body', `${name}-json`),
    rung('error', `${name}-json`),
  ];
}

/** A small ladder of three frameworks, one with a validator of its own. */
export const LADDER: LocalTarget[] = [
  ...framework('express', 'Express', 'floor'),
  ...framework('floor', 'node:http', null),
  ...framework('nest', 'Nest', 'express'),
  makeTarget('nest-body-ajv', {
    ...{ suite: 'ladder', label: 'Nest: body, ajv', env: { RUNG: 'body', VALIDATOR: 'ajv' } },
    ...{ variantOf: 'nest-body', over: 'nest-body', variant: 'ajv by hand', services: SERVICES },
  }),
];

/** CPU of a request, µs: of the lowest rung, and what each other one adds to the one below it. */
export const COSTS: Record<string, Record<Rung, number>> = {
  express: { text: 30, json: 5, body: 45, error: 40 },
  floor: { text: 10, json: 2, body: 28, error: 20 },
  nest: { text: 40, json: 6, body: 94, error: 60 },
};
/** What Nest's own validator costs more than ajv, and MariaDB for each request, µs. */
export const VALIDATOR = 40;
export const DATABASE = 25;

function costOf(name: string): number {
  const [framework = '', rung = 'text', swapped] = name.split('-');
  const { text = 0, json = 0, body = 0, error = 0 } = COSTS[framework] ?? {};
  const height = { text: 0, json, body: json + body, error: json + error }[rung as Rung];
  return text + height - (swapped ? VALIDATOR : 0);
}

interface Parts {
  targets?: LocalTarget[];
  options?: Partial<RunOptions>;
  noise?: (id: string, launch: number, round: number) => number;
  /** Slices of which there are none. */
  without?: (id: string) => boolean;
}

/** A record of a ladder in which everything costs what it is to. */
export function makeLadderRecord({
  targets = LADDER,
  options = {},
  noise = () => 1,
  without = () => false,
}: Parts = {}): RunRecord {
  return makeRecord(
    {
      suite: ownSuite('ladder'),
      targets,
      machine: makeMachine(),
      options: {
        ...{ topologies: ['single'], connections: 100, pipelining: 4 },
        ...{ launches: 3, durationS: 6, sliceS: 1, ...options },
      },
      ...{ wallNs: 305e9, firstTableNs: 21e9, harnessPeakBytes: 118.4e6 },
    },
    (cell, launch, round) => {
      if (without(cell.id)) return null;
      const cpuUsPerResponse = costOf(cell.target) * noise(cell.id, launch, round);
      const ok = Math.round(1e6 / cpuUsPerResponse);
      const used = { cpuNs: ok * DATABASE * 1000, waitNs: 0 };
      return {
        ...{ ok, cpuUsPerResponse, latenciesMs: [4e5 / ok], serverBytes: 80e6 },
        services: cell.target.includes('body') ? { mariadb: { ...used, bytes: 90e6 } } : {},
      };
    },
  );
}
