import type { RunRecord } from '../../src/record/record.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeRecord, makeTargets, type Recorded, type TargetRow } from './make-record.ts';
import { ownSuite } from './own-workloads.ts';

/** A framework with a layer, and two alternative layers on that. */
function rowsOf(name: string, label: string): TargetRow[] {
  const row = (layer: string, base: string): TargetRow => {
    return [`${name}-${layer}`, `${label}: ${layer}`, base, layer, { RUNG: layer }];
  };
  const higher = [row('json', name), row('body', `${name}-json`), row('error', `${name}-json`)];
  return [[name, label, null, null, { RUNG: 'text' }], ...higher];
}

const SERVICES = { mariadb: { seed: null, seedFiles: null } };
const BASES: Record<string, string> = { express: 'floor', nest: 'express' };

/** A small ladder of three frameworks, one with a validator of its own; the highest layers need a service. */
export const LADDER: LocalTarget[] = makeTargets(
  [
    ...rowsOf('express', 'Express'),
    ...rowsOf('floor', 'node:http'),
    ...rowsOf('nest', 'Nest'),
    ['nest-body-ajv', 'Nest: body, ajv', 'nest-body', 'ajv by hand', { VALIDATOR: 'ajv' }],
  ],
  (name) => ({
    suite: 'ladder',
    services: name.includes('-body') ? SERVICES : {},
    ...(name in BASES ? { over: BASES[name] ?? null } : {}),
  }),
);

/** CPU of a request to each layer, µs. */
const COSTS: Record<string, Record<string, number>> = {
  express: { text: 30, json: 35, body: 80, error: 75 },
  floor: { text: 10, json: 12, body: 40, error: 32 },
  nest: { text: 40, json: 46, body: 140, error: 106 },
};
/** The extra cost of Nest's own validator over ajv, and the cost of MariaDB, µs a request. */
const VALIDATOR = 40;
const DATABASE = 25;

function costOf(name: string): number {
  const [framework = '', layer = 'text', swapped] = name.split('-');
  return (COSTS[framework]?.[layer] ?? 0) - (swapped ? VALIDATOR : 0);
}

interface Parts extends Pick<Recorded, 'targets'> {
  noise?: (id: string, launch: number, round: number) => number;
  without?: (id: string) => boolean;
}

export function makeLadderRecord(parts: Parts = {}): RunRecord {
  const { targets = LADDER, noise = () => 1, without = () => false } = parts;
  const options = { connections: 100, pipelining: 4, launches: 3, durationS: 6, sliceS: 1 };
  const times = { wallNs: 305e9, firstTableNs: 21e9, harnessPeakBytes: 118.4e6 };
  const recorded = { suite: ownSuite('ladder'), targets, options, ...times };
  return makeRecord(recorded, (cell, launch, round) => {
    if (without(cell.id)) return null;
    const cpuUsPerResponse = costOf(cell.target) * noise(cell.id, launch, round);
    const ok = Math.round(1e6 / cpuUsPerResponse);
    const used = { cpuNs: ok * DATABASE * 1000, waitNs: 0, bytes: 90e6 };
    const services = cell.target.includes('body') ? { mariadb: used } : {};
    return { ok, cpuUsPerResponse, latenciesMs: [4e5 / ok], serverBytes: 80e6, services };
  });
}
