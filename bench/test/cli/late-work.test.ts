/** Work that nobody waits for, and what it adds to a request: all of it, whenever it is done. */
import { expect, test } from 'vitest';
import { summarizeOverheads } from '../../src/summary/comparisons.ts';
import { summarize } from '../../src/summary/summary.ts';
import type { ServerModel } from '../support/simulated/server.ts';
import { simulateWell } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codesOf } from './harness.ts';

/** A plain server takes so much, and each of those over it so much more, ns. */
const PLAIN_NS = 10_000;
const MORE_NS = 3000;

/** When each does what it does more. */
const MODELS: Record<string, Partial<ServerModel>> = {
  'in-handler': { cpuNs: PLAIN_NS + MORE_NS },
  late: { extra: [{ kind: 'late', cpuNs: MORE_NS, afterNs: 5e6 }] },
  batched: { extra: [{ kind: 'batched', cpuNs: MORE_NS, everyNs: 250e6 }] },
  'late-and-busy': { idleNsPerS: 20e6, extra: [{ kind: 'late', cpuNs: MORE_NS, afterNs: 5e6 }] },
};

const NAMES = Object.keys(MODELS);

const AMOUNTS = '-c 100 -p 10 -d 12 --slice 0.5 --launches 6 --warmup 2 --seed 1';

test('what a server does for a request, whenever it does it, makes that dearer by as much', async () => {
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
  const line = `frameworks --packages '${folder.path}' --topology single ${AMOUNTS}`;
  const { record } = await simulateWell(line, {
    seed: 3,
    server: (target) => ({ cpuNs: PLAIN_NS, ...MODELS[target] }),
    generator: { noise: 0.02 },
  });
  // Every server is measured whole, and was quiet in the end.
  for (const { measurement } of record.slices) {
    expect(measurement).toMatchObject({ isQuiet: true, leadIn: { hasSettled: true } });
  }

  const { rows = [] } = summarizeOverheads(summarize(record)) ?? {};
  expect(rows.map(({ target }) => target.name).toSorted()).toEqual(NAMES.toSorted());
  for (const { target, comparison } of rows) {
    const { difference, verdict } = comparison;
    if (difference.kind !== 'interval') throw new Error(`there is no interval of ${target.name}`);
    expect(Math.abs(difference.value / MORE_NS - 1), target.name).toBeLessThan(0.03);
    expect(difference.low, target.name).toBeLessThan(MORE_NS);
    expect(difference.high, target.name).toBeGreaterThan(MORE_NS);
    expect(verdict, target.name).toBe('slower');
  }

  // What a server uses idle is found, and is little beside what the requests cost.
  for (const { server, nsPerS } of record.idle) {
    expect(nsPerS).toBe(server === 'late-and-busy/single' ? 20e6 : 0);
  }
  // From one turn to the next, with five others between them, 6 ms of about 71.
  const codes = codesOf(record, ({ target }) => target === 'late-and-busy');
  expect(codes).not.toContain('NOT_QUIET');
  expect(codes).not.toContain('IDLE_USE');
});
