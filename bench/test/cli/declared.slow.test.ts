/** What targets declare of how they are built and scale, from the bench block to the tables. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onPath } from '../../src/system/on-path.ts';
import { CAN_SEE_SOCKETS } from '../../src/system/sockets.ts';
import { flagsOf } from '../../src/validity/flags.ts';
import { ownPlace } from '../support/leftovers.ts';
import { codeFor, expectAnswers, on, recordIn, SHORT, start } from './harness.ts';

const place = ownPlace();
/** Go's cache is in the home folder, and a test has another one; without it a build takes a minute. */
const GO_CACHE = { GOCACHE: join(homedir(), '.cache', 'go-build'), GOTOOLCHAIN: 'local' };

/** It takes Go, and a system that deals connections to processes on one port. */
const threads = onPath('go') ? ['net-http'] : [];
const processes = CAN_SEE_SOCKETS ? ['reuse-port'] : [];

test.skipIf(threads.length + processes.length === 0)(
  'servers that scale by threads, or by processes on one port, use as many as the topology says',
  async () => {
    const out = join(place.folder, 'record.json');
    const targets = on([...threads, ...processes, 'ok'], 'single,2');
    const args = ['frameworks', ...targets, ...SHORT, '--out', out];
    const run = await start(place, args, GO_CACHE).finished;
    const record = recordIn(out);
    expect(record.failures).toEqual([]);
    expect(run.code).toBe(codeFor(record));
    expectAnswers(record);
    const counts = record.slices.map(({ cell, measurement }) => {
      const [target, topology] = cell.split('/');
      return `${target} as ${topology}: ${measurement.workersCpuNs.length}`;
    });
    const expected = [
      ...threads.flatMap((name) => [`${name} as single: 1`, `${name} as 2: 1`]),
      ...processes.flatMap((name) => [`${name} as single: 1`, `${name} as 2: 2`]),
      ...['ok as single: 1', 'ok as 2: 2', 'canned as single: 1', 'canned as 2: 2'],
    ];
    expect([...new Set(counts)].sort()).toEqual(expected.sort());
    const shared = record.plan.cells.filter(({ target }) => processes.includes(target));
    const flags = shared.flatMap((cell) => flagsOf(record, cell).map(({ code }) => code));
    expect(flags).not.toContain('TOPOLOGY');
    if (threads.length > 0) {
      expect(run.stderr).toContain('Building net-http: go build');
      // They stand in the order of their ranks.
      expect(run.stdout).toMatch(/^As .*\bprocesses of 2 threads\b/m);
      expect(run.stdout).toMatch(/^As .*\bpm2 clusters of 2\b/m);
    }
  },
);
