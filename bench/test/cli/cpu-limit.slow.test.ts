import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { on, recordIn, start } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const LIMIT = ['--cpu-limit', '0.5'];
/** Under the cost load alone, for which no canned server has to run, and without an end. */
const LOAD = ['-c', '100', '-p', '10', '--warmup', '0.1', '-d', '1200', '--slice', '0.2'];

describe.skipIf(!CAN_LIMIT)('where control groups may be made (skipped elsewhere)', () => {
  test.each([
    { name: 'Ctrl-C twice', signals: ['SIGINT', 'SIGINT'], code: 130 },
    { name: 'SIGKILL', signals: ['SIGKILL'], code: undefined },
  ] as const)(
    '$name leaves no process, no control group and no folder, but a record',
    async ({ signals, code }) => {
      const args = ['frameworks', ...on(['ok'], 'single,cluster:2'), ...LIMIT, ...LOAD, '-o', out];
      const harness = start(place, args);
      await harness.untilSays('a round is over');
      const runs = place.runFolders();
      expect(groupsOf(runs)).toHaveLength(2);
      for (const [index, signal] of signals.entries()) {
        if (index > 0) await harness.untilSays('Ending after this slice');
        harness.signal(signal);
      }
      expect((await harness.finished).code).toBe(code);
      await place.untilEmpty(10_000);
      expect(await eventually(() => groupsOf(runs).length === 0, 5000)).toBe(true);
      expect(existsSync(out)).toBe(true);
      expectLimits();
    },
  );
});

/** No server of the record got more than its limit, and each is told how its group was throttled. */
function expectLimits(): void {
  const { targets, slices, plan, failures } = recordIn(out);
  expect(failures).toEqual([]);
  for (const { id, target } of plan.cells) {
    const own = slices.filter(({ cell }) => cell === id).map(({ measurement }) => measurement);
    expect(Math.min(...own.map(({ throttling }) => throttling?.periods ?? 0))).toBeGreaterThan(0);
    const used = own.reduce((sum, { cpu }) => sum + cpu.server.cpuNs, 0);
    // A quota is given anew at any moment of a window: once more in each at the most.
    const given = own.reduce((sum, { windowNs }) => sum + windowNs + 1e8, 0);
    const limit = targets.find(({ name }) => name === target)?.cpuLimit ?? 0;
    expect(used / given, id).toBeLessThan(limit * 1.1);
  }
}
