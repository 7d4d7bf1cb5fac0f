/** Load from other hosts: k6 on each, by ssh, a segment of the rate each. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onPath } from '../../src/system/on-path.ts';
import { on, recordIn } from '../cli/harness.ts';
import { type Hosts, NO_HOSTS, startHosts } from '../support/hosts.ts';
import { ownPlace } from '../support/leftovers.ts';
import { expectToAddUp, until } from './expectations.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const NAMES = ['a', 'b', 'c'];
const RATE = ['--rate', '300', '--driver', 'k6', '-c', '90'];
const BRIEF = ['--launches', '1', '--warmup', '0.1', '--out', out];

describe.skipIf(NO_HOSTS !== null || !onPath('k6'))('hosts that send', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    hosts = await startHosts(place, [...NAMES, 'bare'], {
      programs: ['k6'],
      environments: { bare: { PATH: '/usr/bin:/bin' } },
    });
    place.keep();
  });
  afterAll(() => hosts[Symbol.asyncDispose]());

  /** Starts a run of this many seconds with load from these hosts. */
  const start = (names: string[], seconds = 2) => {
    const span = ['-d', `${seconds}`, '--slice', `${seconds}`];
    const from = ['--generator-hosts', names.join()];
    return hosts.start([
      'frameworks',
      ...on(['ok'], 'single'),
      ...RATE,
      ...BRIEF,
      ...span,
      ...from,
    ]);
  };
  /** The same, once all have been sending for so long, ms. */
  const startSending = async (seconds: number, ms: number) => {
    const harness = start(NAMES, seconds);
    const isK6 = (line: string) => /\bk6 run /.test(line);
    await until(() => NAMES.every((name) => hosts.running(name).some(isK6)), 30_000);
    await sleep(ms);
    return harness;
  };
  const untilClean = (timeoutMs?: number) => hosts.untilClean(NAMES, timeoutMs);

  test('share a rate, and their ledgers are one', async () => {
    const run = await start(NAMES).finished;
    expect(run).toMatchObject({ code: 0 });
    const { slices, plan, command } = recordIn(out);
    expect(slices.length).toBeGreaterThan(0);
    for (const { measurement } of slices) {
      const { window, pace, ledger } = measurement;
      expect(pace?.planned).toBe(window.sent + (pace?.dropped ?? 0));
      expect(pace?.lost).toBe(0);
      expect(window.sent).toBeGreaterThan(0.9 * 600);
      expectToAddUp(ledger);
      expect(window.ok).toBeGreaterThan(0.9 * window.sent);
    }
    expect(plan.loads).toMatchObject([{ driver: 'k6', hosts: 3 }]);
    // A record has no names of hosts.
    expect(command.join(' ')).toContain('--generator-hosts …');
    expect(run.stderr).toContain('TIME_WAIT');
    expect(run.stdout).toContain('by k6 from 3 hosts');
    await untilClean();
  });

  test('of which one is paused, one killed and one cut off give a ledger that says so', async () => {
    const harness = await startSending(8, 3000);
    hosts.on('a', 'pkill -STOP -x k6; sleep 1.5; pkill -CONT -x k6');
    hosts.on('b', 'pkill -9 -x k6');
    hosts.plug('c', false);
    const run = await harness.finished;
    const [slice] = recordIn(out).slices;
    if (slice === undefined) throw new Error('no slice');
    const { pace, ledger } = slice.measurement;
    expect(pace?.lost).toBe(2 * 8 * 100);
    expect(run.stdout).toContain('GENERATOR_LOST');
    // What was due in the pause left once it was over, or was dropped.
    expect((pace?.lateness?.late ?? 0) + (pace?.dropped ?? 0)).toBeGreaterThan(50);
    expect(run.stdout).toMatch(/LATE|DROPPED/);
    expectToAddUp(ledger);
    // The host that is cut off notices it too.
    await untilClean(15_000);
    hosts.plug('c', true);
  });

  const SIGNALS = ['SIGINT', 'SIGKILL'] as const;
  test.each(SIGNALS)('a harness that gets %s leaves nothing on any of them', async (signal) => {
    const harness = await startSending(20, 0);
    harness.signal(signal);
    if (signal === 'SIGINT') harness.signal(signal);
    await harness.finished;
    await place.untilEmpty(10_000);
    await untilClean(15_000);
  });

  test('one without k6 is refused at once, with the reason', async () => {
    const run = await start(['a', 'bare']).finished;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/bare: k6 is not on its PATH.*bare can't take this load/s);
    await untilClean();
  });
});
