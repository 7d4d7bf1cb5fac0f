import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { CAN_PROFILE, FOR_PROFILES, startWatching } from '../../src/system/inspector.ts';
import { isAlive } from '../../src/system/processes.ts';
import { startProgram } from '../support/processes.ts';

/** A server that burns CPU in a function with a distinctive name, and says so after each collection. */
const BURNING = `
  function burnsForTheTest() { const end = performance.now() + 5; while (performance.now() < end); }
  const server = require('node:http').createServer().listen(0, '127.0.0.1', () => {
    console.log(server.address().port);
    setInterval(() => {
      burnsForTheTest();
      gc();
      console.log('collected');
    }, 10);
  });
`;

async function startBurning() {
  const started = startProgram('node', ...FOR_PROFILES, '--expose-gc', '-e', BURNING);
  const [said] = await once(started.stdout, 'data');
  const port = Number.parseInt(String(said), 10);
  const watch = (isSampled: boolean) => startWatching(started.pid, [port], { isSampled });
  return { ...started, watch };
}

const nowNs = () => Number(process.hrtime.bigint());

describe.runIf(CAN_PROFILE)('a running Node process', () => {
  test('can be watched repeatedly, on the clock of the machine, sampled or not', async () => {
    await using server = await startBurning();
    const told: number[] = [];
    for (const isSampled of [true, true, false, false]) {
      const fromNs = nowNs();
      const stop = await server.watch(isSampled);
      const beganNs = nowNs();
      // The first may have been said before.
      for (let times = 0; times < 4; times++) await once(server.stdout, 'data');
      const { collections, sampled } = await stop();

      expect(collections.length).toBeGreaterThan(1);
      for (const each of collections) {
        expect(each.ns).toBeGreaterThan(0);
        expect(each.beganNs).toBeGreaterThan(fromNs);
        expect(each.beganNs + each.ns).toBeLessThan(nowNs());
      }
      expect(collections.some((each) => each.beganNs > beganNs)).toBe(true);
      told.push(...collections.map((each) => each.beganNs));

      expect(sampled !== null).toBe(isSampled);
      if (sampled === null) continue;
      const { nodes, samples, timeDeltas, startTime } = sampled.profile;
      expect(nodes.length).toBeGreaterThan(1);
      const functions = sampled.scripts.flatMap((script) => script.functions);
      expect(functions.map((each) => each.functionName)).toContain('burnsForTheTest');
      expect(sampled.builtins._http_server).toContain('function ');
      expect(samples.length).toBe(timeDeltas.length);
      expect(startTime * 1000).toBeGreaterThan(fromNs);
      expect(startTime * 1000).toBeLessThan(nowNs());
    }
    // Each collection is reported once.
    expect(new Set(told).size).toBe(told.length);
    expect(isAlive(server.pid)).toBe(true);
  });

  test('can not be watched once it is gone', async () => {
    const server = await startBurning();
    const stop = await server.watch(true);
    await server.end();
    await expect(stop()).rejects.toThrow(/hung up|not/);
    await expect(server.watch(true)).rejects.toThrow('is gone');
  });
});
