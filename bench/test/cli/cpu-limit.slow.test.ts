import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { on, overhead, recordIn, start } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const LIMITS = ['--cpu-limit', '0.25,0.5'];
/** Under the cost load alone, for which no canned server has to run. */
const COST = ['-c', '100', '-p', '10', '--warmup', '0.1', '--launches', '2'];
const SHORT = [...COST, '-d', '0.8', '--slice', '0.4'];
const LONG = [...COST, '-d', '1200', '--slice', '0.2'];

test('a server that is already up can not be limited, which is refused with the reason', async () => {
  const args = ['run', '--url', 'http://127.0.0.1:9', '--cpu-limit', '1'];
  const { code, stdout, stderr } = await overhead(place, ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--cpu-limit has no meaning beside --url');
  expect(stderr).toContain('only what the harness starts is in a control group of its own');
});

describe.skipIf(!CAN_LIMIT)('where control groups may be made (skipped elsewhere)', () => {
  test('every target runs under every limit, and no process gets more than that', async () => {
    const args = [...on(['ok'], 'single,cluster:2'), ...LIMITS, ...SHORT, '-o', out];
    const { code, stdout, stderr } = await overhead(place, 'frameworks', ...args);
    expect(code, stderr).toBeOneOf([0, 1]);
    const { targets, slices, failures, plan } = recordIn(out);
    expect(failures).toEqual([]);
    expect(targets.map(({ name, cpuLimit }) => [name, cpuLimit])).toEqual([
      ['ok@cpu-0.25', 0.25],
      ['ok@cpu-0.5', 0.5],
    ]);
    const periods = slices.map(({ measurement: { throttling } }) => throttling?.periods ?? 0);
    expect(Math.min(...periods)).toBeGreaterThan(0);
    const limitOf = (cell: string) =>
      targets.find(({ name }) => cell.startsWith(`${name}/`))?.cpuLimit;
    for (const { id } of plan.cells) {
      const own = slices.filter(({ cell }) => cell === id).map(({ measurement }) => measurement);
      const used = own.reduce((sum, { cpu }) => sum + cpu.server.cpuNs, 0);
      // A quota is given anew at any moment of a window: once more in each at the most.
      const given = own.reduce((sum, { windowNs }) => sum + windowNs + 1e8, 0);
      expect(used / given).toBeLessThan((limitOf(id) ?? 0) * 1.1);
    }
    expect(stdout).toMatch(/^CPU limits, under the cost load/m);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Each server was in a control group with a CPU limit of 0.25 cores or 0.5 cores.',
    );
    expect((await overhead(place, 'report', out)).stdout).toBe(stdout);
  });

  test.each([
    { name: 'Ctrl-C', signals: ['SIGINT'], code: 130 },
    { name: 'Ctrl-C twice', signals: ['SIGINT', 'SIGINT'], code: 130 },
    { name: 'SIGKILL', signals: ['SIGKILL'], code: undefined },
  ] as const)(
    '$name leaves no process, no control group and no folder',
    async ({ signals, code }) => {
      const args = ['frameworks', ...on(['ok'], 'single,2'), ...LIMITS, ...LONG, '-o', out];
      const harness = start(place, args);
      await harness.untilSays('a round is over');
      const runs = place.runFolders();
      expect(groupsOf(runs)).toHaveLength(4);
      for (const [index, signal] of signals.entries()) {
        if (index > 0) await harness.untilSays('Ending after this slice');
        harness.signal(signal);
      }
      expect((await harness.finished).code).toBe(code);
      await place.untilEmpty(10_000);
      expect(await eventually(() => groupsOf(runs).length === 0, 5000)).toBe(true);
      expect(existsSync(out)).toBe(true);
    },
  );
});
