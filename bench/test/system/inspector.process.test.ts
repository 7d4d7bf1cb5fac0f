import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { CAN_PROFILE, FOR_PROFILES, startWatching } from '../../src/system/inspector.ts';
import { isAlive } from '../../src/system/processes.ts';
import { eventually } from '../support/processes.ts';

/** A server that burns CPU in a function of a name that can be found again. */
const BURNING = `
  const server = require('node:http').createServer().listen(0, '127.0.0.1', () => {
    console.log(server.address().port);
  });
  function burnsForTheTest() { const end = performance.now() + 5; while (performance.now() < end); }
  setInterval(burnsForTheTest, 6);
  setInterval(gc, 10);
`;

interface Burning extends AsyncDisposable {
  pid: number;
  port: number;
}

async function startBurning(): Promise<Burning> {
  const child = execa('node', [...FOR_PROFILES, '--expose-gc', '-e', BURNING], { reject: false });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await eventually(() => said.includes('\n'), 10_000);
  const { pid } = child;
  if (pid === undefined) throw new Error('node did not start');
  return {
    pid,
    port: Number(said),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await child;
    },
  };
}

describe.runIf(CAN_PROFILE)('a profile of a Node process that runs', () => {
  test('says what ran, on the clock of the machine, again and again', async () => {
    await using server = await startBurning();
    for (let time = 0; time < 2; time++) {
      const beforeUs = Number(process.hrtime.bigint()) / 1000;
      const watch = await startWatching(server.pid, [server.port], { isSampled: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { sampled } = await watch.stop();
      if (sampled === null) throw new Error('it was asked for');
      const { profile, scripts, builtins } = sampled;
      const { nodes, samples, timeDeltas, startTime } = profile;
      expect(nodes.length).toBeGreaterThan(1);
      const functions = scripts.flatMap((script) => script.functions);
      expect(functions.map((each) => each.functionName)).toContain('burnsForTheTest');
      expect(builtins._http_server).toContain('function ');
      expect(samples.length).toBe(timeDeltas.length);
      expect(startTime).toBeGreaterThan(beforeUs);
      expect(startTime).toBeLessThan(Number(process.hrtime.bigint()) / 1000);
    }
    expect(isAlive(server.pid)).toBe(true);
  });

  test('is none where the process is gone, before or meanwhile', async () => {
    const server = await startBurning();
    const begin = () => startWatching(server.pid, [server.port], { isSampled: true });
    const watch = await begin();
    await server[Symbol.asyncDispose]();
    await expect(watch.stop()).rejects.toThrow(/hung up|not/);
    await expect(begin()).rejects.toThrow('is gone');
  });
});

describe.runIf(CAN_PROFILE)('the collections of a Node process that runs', () => {
  const nowNs = () => Number(process.hrtime.bigint());

  test.each([true, false])(
    'are told on the clock of the machine, each once, sampled: %s',
    async (isSampled) => {
      await using server = await startBurning();
      const told: number[] = [];
      for (let time = 0; time < 2; time++) {
        const fromNs = nowNs();
        const watch = await startWatching(server.pid, [server.port], { isSampled });
        const beganNs = nowNs();
        await new Promise((resolve) => setTimeout(resolve, 100));
        const { collections, sampled } = await watch.stop();
        expect(sampled !== null).toBe(isSampled);
        expect(collections.length).toBeGreaterThan(1);
        for (const each of collections) {
          expect(each.ns).toBeGreaterThan(0);
          expect(each.beganNs).toBeGreaterThan(fromNs);
          expect(each.beganNs + each.ns).toBeLessThan(nowNs());
        }
        expect(collections.some((each) => each.beganNs > beganNs)).toBe(true);
        told.push(...collections.map((each) => each.beganNs));
      }
      expect(new Set(told).size).toBe(told.length);
    },
  );
});
