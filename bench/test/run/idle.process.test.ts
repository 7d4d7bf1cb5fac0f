import { once } from 'node:events';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { measureIdle } from '../../src/run/idle.ts';

const NEVER = new AbortController().signal;
const NOBODY = { pids: [] };

/** A process that says that it is there, and then does this. */
async function start(act: string) {
  const script = `
    const burn = (ms) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    console.log('here');
    setTimeout(() => { ${act} });
    setInterval(() => {}, 60_000);`;
  const child = execa(process.execPath, ['-e', script], { reject: false });
  const { pid } = child;
  if (pid === undefined) throw new Error('node did not start');
  await once(child.stdout, 'data');
  const end = async () => {
    child.kill('SIGKILL');
    await child;
  };
  return { pids: [pid], [Symbol.asyncDispose]: end };
}

/** Of a core, on a machine that may be busy with other things. */
function expectShare(nsPerS: number | undefined, { from, to }: { from: number; to: number }): void {
  expect(nsPerS).toBeGreaterThanOrEqual(from * 1e9);
  expect(nsPerS).toBeLessThan(to * 1e9);
}

test('what each uses in a second is told, once one that still has work left has done it', async () => {
  await using quiet = await start('');
  // A tenth of a core.
  await using busy = await start('setInterval(() => burn(10), 100)');
  // Of a second and a half: all of the first second, and half of the next one.
  await using working = await start('burn(1500)');
  const began = performance.now();
  const uses = await measureIdle([quiet, busy, working], NEVER);
  expectShare(uses.get(quiet), { from: 0, to: 0.01 });
  expectShare(uses.get(busy), { from: 0.02, to: 0.3 });
  expectShare(uses.get(working), { from: 0, to: 0.01 });
  expect(performance.now() - began).toBeGreaterThan(2900);
});

test('nobody waits for what has nothing left to do', async () => {
  await using quiet = await start('');
  const began = performance.now();
  await measureIdle([quiet], NEVER);
  expect(performance.now() - began).toBeLessThan(1900);
});

test('one that dies meanwhile tells nothing, nor does one without processes, and the others do', async () => {
  await using dying = await start('setTimeout(() => process.exit(), 300)');
  await using quiet = await start('');
  expect([...(await measureIdle([dying, NOBODY, quiet], NEVER)).keys()]).toEqual([quiet]);
});

test('where nobody has a process there is nothing to wait for', async () => {
  const began = performance.now();
  expect(await measureIdle([NOBODY], NEVER)).toEqual(new Map());
  expect(performance.now() - began).toBeLessThan(900);
});

test('it ends at once where the run is to end', async () => {
  await using quiet = await start('');
  const over = new AbortController();
  const measuring = measureIdle([quiet], over.signal);
  over.abort(new Error('enough'));
  await expect(measuring).rejects.toThrow();
});
