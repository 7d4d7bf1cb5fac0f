import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TRUTH_FOLDER } from '../../src/base/places.ts';
import { ownPlace } from '../support/leftovers.ts';
import { recordIn, start } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'truth.json');
/** A quick run takes about a minute, and longer beside other tests. */
const BUSY_MS = 180_000;

test(
  '`truth` goes on without a server that is killed, and does not find the truth then',
  async () => {
    const harness = start(place, ['truth', '--quick', '--seed', '3', '--out', out]);
    await harness.untilSays('a round is over');
    const servers = place.processes().filter(({ directory }) => directory === TRUTH_FOLDER);
    const victim = servers.find(({ command }) => command.includes('objects'));
    if (victim === undefined) throw new Error('no server is running');
    if (victim.port !== null) place.watch(victim.port);
    process.kill(victim.pid, 'SIGKILL');
    const run = await harness.finished;
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('objects/single failed: ');
    expect(run.stdout).toMatch(/^overhead truth\n/);
    expect(run.stdout).not.toContain('The harness finds what is known.');
    const { state, slices, failures } = recordIn(out);
    expect(state).toBe('complete');
    expect(failures).toMatchObject([{ server: 'objects/single', when: 'slice', died: true }]);
    for (const { cell, handler } of slices) {
      if (cell.startsWith('sized')) expect(handler).toBeNull();
      else expect(handler?.gcNs).toBeGreaterThanOrEqual(0);
    }
  },
  BUSY_MS,
);
