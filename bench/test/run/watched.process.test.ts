import { once } from 'node:events';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { arrange } from '../../src/run/arrange.ts';
import { CAN_PROFILE, FOR_PROFILES } from '../../src/system/inspector.ts';
import { isAlive } from '../../src/system/processes.ts';

const SERVER = `const server = require('node:http').createServer().listen(0, '127.0.0.1', () => {
  console.log(server.address().port);
});`;

test.runIf(CAN_PROFILE).each([
  { what: 'lives on', dies: false, tells: 1 },
  { what: 'dies', dies: true, tells: 0 },
])('of a server that $what while it is sampled $tells is told', async ({ dies, tells }) => {
  const child = execa(process.execPath, [...FOR_PROFILES, '-e', SERVER], { reject: false });
  const end = async () => {
    child.kill('SIGKILL');
    await child;
  };
  await using _ = { [Symbol.asyncDispose]: end };
  const { pid } = child;
  if (pid === undefined) throw new Error('node did not start');
  const [port] = await once(child.stdout, 'data');
  const origin = `http://127.0.0.1:${String(port).trim()}`;
  let told = 0;
  {
    await using _ = await arrange('profiled', {
      server: { pids: [pid], origin, isAlive: () => isAlive(pid) },
      ...{ others: [], cores: { own: [], all: [] }, isSampledInOthers: true },
      onWatched: ({ sampled }) => {
        expect(sampled).not.toBeNull();
        told++;
      },
    });
    if (dies) await end();
  }
  expect(told).toBe(tells);
});
