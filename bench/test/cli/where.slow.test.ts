import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CAN_PROFILE } from '../../src/system/inspector.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { overhead, recordIn, serversOf, start } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const profiles = join(place.folder, 'profiles');
const OF_TWO = ['--packages', FIXTURES, '--targets', 'ok,ok-too'];
const AMOUNTS = ['-d', '0.8', '--slice', '0.2', '--launches', '2', '--warmup', '0.1'];
const BUSY_MS = 60_000;

describe.runIf(CAN_PROFILE)('where the time goes', () => {
  test(
    'is told of every server, and the profiles are kept where they are asked for',
    async () => {
      const args = ['where', ...OF_TWO, ...AMOUNTS, '--profile-dir', profiles, '-o', out];
      const { code, stdout } = await overhead(place, ...args);
      expect([0, 1]).toContain(code);
      expect(stdout).toMatch(/^overhead where\n/);
      expect(stdout).toContain('Where the microseconds go');
      const record = recordIn(out);
      expect(record.profiles).toHaveLength(4);
      // In both ways of slicing.
      expect(record.collected).toHaveLength(8);
      for (const { functions, samples } of record.profiles) {
        expect(samples).toBeGreaterThan(10);
        expect(functions.map(({ owner }) => owner.kind)).toContain('node');
      }
      expect(readdirSync(profiles).filter((name) => name.endsWith('.cpuprofile'))).toHaveLength(8);
    },
    BUSY_MS,
  );

  test(
    'comes after a run that asks for it, in launches and a record of its own',
    async () => {
      const args = ['frameworks', ...OF_TWO, ...AMOUNTS, '--topology', 'single'];
      const { stdout } = await overhead(place, ...args, '-c', '10', '--where', '-o', out);
      const [own, where] = stdout.split(/^(?=overhead where$)/m);
      expect(own).toMatch(/^overhead frameworks\n/);
      expect(where).toContain('Where the microseconds go');
      expect(recordIn(out).profiles).toEqual([]);
      expect(recordIn(join(place.folder, 'record-where.json')).profiles).not.toEqual([]);
    },
    BUSY_MS,
  );

  test(
    'comes after a run with a wrong answer too, whose exit code stays',
    async () => {
      const wrong = ['--packages', FIXTURES, '--targets', 'ok,wrong-under-load', ...AMOUNTS];
      const args = ['frameworks', ...wrong, '--topology', 'single', '-c', '10', '--where'];
      const { code, stdout } = await overhead(place, ...args, '-o', out);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^overhead where$/m);
      expect(recordIn(join(place.folder, 'record-where.json')).profiles).not.toEqual([]);
    },
    BUSY_MS,
  );

  test(
    'goes on without a server that is killed while it is sampled',
    async () => {
      const longer = ['-d', '4', '--slice', '0.2', '--launches', '2', '--warmup', '0.1'];
      const harness = start(place, ['where', ...OF_TWO, ...longer, '-o', out]);
      await harness.untilSays('a round is over');
      const [victim] = serversOf(place, 'ok');
      if (victim === undefined) throw new Error('no server is running');
      process.kill(victim.pid, 'SIGKILL');
      const { code, stderr } = await harness.finished;
      expect(code).toBe(1);
      expect(stderr).toContain('failed: ');
      expect(recordIn(out)).toMatchObject({ state: 'complete', failures: [{ died: true }] });
    },
    BUSY_MS,
  );

  test('is refused on a runtime that is not Node, before anything is fetched', async () => {
    for (const words of [['where'], ['frameworks', '--where']]) {
      const { code, stderr } = await overhead(place, ...words, '--runtime', 'bun');
      expect(code).toBe(2);
      expect(stderr).toContain('--runtime has no meaning here but for node');
    }
  });

  test('has no folder for profiles where nobody samples', async () => {
    const { code, stderr } = await overhead(place, 'frameworks', '--profile-dir', profiles);
    expect(code).toBe(2);
    expect(stderr).toContain('--profile-dir has no meaning without --where');
  });
});
