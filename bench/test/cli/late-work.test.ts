/** Work that nobody waits for, and what it adds to a request: all of it, whenever it is done. */
import { beforeAll, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { type Overhead, summarizeOverheads } from '../../src/summary/comparisons.ts';
import { summarizeConditions } from '../../src/summary/summary.ts';
import { flagsOf } from '../../src/validity/flags.ts';
import type { ServerModel } from '../support/simulated/server.ts';
import { simulateWell } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A plain server takes so much, and each of those over it so much more, ns. */
const PLAIN_NS = 10_000;
const MORE_NS = 3000;

/** When each does what it does more. */
const MODELS = {
  'in-handler': { cpuNs: PLAIN_NS + MORE_NS },
  late: { extra: [{ kind: 'late', cpuNs: MORE_NS, afterNs: 5e6 }] },
  batched: { extra: [{ kind: 'batched', cpuNs: MORE_NS, everyNs: 250e6 }] },
  'late-and-busy': { idleNsPerS: 20e6, extra: [{ kind: 'late', cpuNs: MORE_NS, afterNs: 5e6 }] },
} as const satisfies Record<string, Partial<ServerModel>>;

/** The name of a server that does something more. */
type Name = keyof typeof MODELS;
const NAMES: Name[] = ['in-handler', 'late', 'batched', 'late-and-busy'];

const AMOUNTS = '-c 100 -p 10 -d 12 --slice 0.5 --launches 6 --warmup 2 --seed 1';

let record: RunRecord;
let overheads: Map<string, Overhead>;

beforeAll(async () => {
  using folder = temporaryFolder();
  for (const name of ['plain', ...NAMES]) {
    folder.write(`${name}/main.mjs`, '');
    const bench = {
      ...{ suite: 'frameworks', label: name, start: ['node', 'main.mjs'], port: 3999 },
      ...(name === 'plain' ? {} : { over: 'plain' }),
      request: { method: 'GET', path: '/' },
      expect: { status: 200, headers: {}, body: 'Hello World!' },
    };
    folder.write(`${name}/package.json`, { name, bench });
  }
  const models: Record<string, Partial<ServerModel>> = MODELS;
  const line = `frameworks --packages '${folder.path}' --topology single ${AMOUNTS}`;
  const run = await simulateWell(line, {
    seed: 3,
    server: (target) => ({ cpuNs: PLAIN_NS, ...models[target] }),
    generator: { noise: 0.02 },
  });
  record = run.record;
  const { rows = [] } = summarizeOverheads(record, summarizeConditions(record)) ?? {};
  overheads = new Map(rows.map((row) => [row.target.name, row]));
});

test('every server is measured whole, and was quiet in the end', () => {
  expect([...overheads.keys()].toSorted()).toEqual(NAMES.toSorted());
  for (const { measurement } of record.slices) {
    expect(measurement).toMatchObject({ isQuiet: true, leadIn: { hasSettled: true } });
  }
});

test.each(NAMES)('what %s does for a request makes it dearer by that much', (name) => {
  const { difference, verdict } = overheads.get(name)?.comparison ?? {};
  if (difference?.kind !== 'interval') throw new Error('there is no interval');
  expect(Math.abs(difference.value / MORE_NS - 1)).toBeLessThan(0.03);
  expect(difference.low).toBeLessThan(MORE_NS);
  expect(difference.high).toBeGreaterThan(MORE_NS);
  expect(verdict).toBe('slower');
});

test('what a server uses idle is found, and is little beside what the requests cost', () => {
  for (const { server, nsPerS } of record.idle) {
    expect(nsPerS).toBe(server === 'late-and-busy/single' ? 20e6 : 0);
  }
  // From one turn to the next, with five others between them, 6 ms of about 71.
  const cells = record.plan.cells.filter(({ target }) => target === 'late-and-busy');
  const codes = cells.flatMap((cell) => flagsOf(record, cell).map(({ code }) => code));
  expect(codes).not.toContain('NOT_QUIET');
  expect(codes).not.toContain('IDLE_USE');
});
