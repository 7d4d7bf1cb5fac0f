/** Rows 5 and 12: pm2's daemon is killed, and the user has one too. */
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { dueIn, harnessPlace, on, SHORT, SIX_ROUNDS } from '../cli/harness.ts';
import { FIXTURES } from '../support/fixtures.ts';

const place = harnessPlace();

test('a daemon that is killed in a run costs the servers that it keeps, and no others', async () => {
  const targets = on(['ok', 'ok-too'], 'single,2');
  const harness = await place.startRound(...targets, ...SIX_ROUNDS);
  const daemons = place.processes().filter(({ command }) => /^PM2 .*God Daemon/.test(command));
  expect(daemons).toHaveLength(1);
  for (const { pid } of daemons) process.kill(pid, 'SIGKILL');
  const run = await harness.finished;
  expect(run.code).toBe(1);
  const record = place.record();
  expect(record.state).toBe('complete');
  const lost = record.failures.map(({ server }) => server).sort();
  expect(lost).toEqual(['canned/2', 'ok-too/2', 'ok/2']);
  const single = (ids: string[]) => ids.filter((id) => id.includes('/single/')).sort();
  expect(single(record.slices.map(({ cell }) => cell))).toEqual(single(dueIn(record.plan)));
});

test("row 12: the user's own daemon and its apps stay as they are", async () => {
  const pm2 = (...args: string[]) => {
    const env = { ...place.environment, PM2_HOME: join(place.folder, '.pm2'), PORT: '0' };
    return execa('pm2', args, { cwd: ROOT, preferLocal: true, extendEnv: false, env });
  };
  try {
    await pm2('start', join(FIXTURES, 'odd.mjs'), '--name', 'own', '--', 'never-listens');
    await pm2('save');
    const list = async () => {
      const [app] = JSON.parse((await pm2('jlist')).stdout);
      const { pid, pm2_env } = app;
      return { pid, uptime: pm2_env.pm_uptime, restarts: pm2_env.restart_time };
    };
    const before = await list();
    await place.measured(['frameworks', ...on(['ok'], 'single,2'), ...SHORT]);
    expect(await list()).toEqual(before);
  } finally {
    await pm2('kill');
    // It says so before its daemon is gone.
    await place.untilEmpty(10_000);
  }
});
