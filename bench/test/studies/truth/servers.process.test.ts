import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { buildTargets } from '../../../src/launch/build.ts';
import { handlerTimeSchema } from '../../../src/record/record.ts';
import {
  GARBAGE,
  idleOf,
  LATER,
  SIZED,
  SIZED_NAME,
  truthTargets,
} from '../../../src/studies/truth/targets.ts';
import { runnable } from '../../../src/targets/needs.ts';
import type { LocalTarget } from '../../../src/targets/targets.ts';
import { ownPlace } from '../../support/leftovers.ts';
import { REQUEST, startProcess, startRaw } from '../../support/raw-server.ts';

const REAL_HOME = homedir();
ownPlace();

/** So many turns for 1 µs are far too many: the extra work of 1 µs takes at least some 10 µs. */
const TURNS = 100_000;
const { targets: all, probes } = truthTargets(TURNS);
/** Those in Go are tested where Go is. */
const { targets } = runnable(all);
const ALL = [...targets, ...probes];

const BUILD_MS = 120_000;
/** As `truth/later.ts` has it. */
const REQUESTS_A_MESSAGE = 100;
beforeAll(async () => {
  // Go keeps what it has built of its own library at home, if it may write there.
  await access(REAL_HOME, constants.W_OK).then(
    () => vi.stubEnv('HOME', REAL_HOME),
    () => {},
  );
  await buildTargets(targets, new AbortController().signal, () => {}).finally(vi.unstubAllEnvs);
}, BUILD_MS);

function targetOf(name: string, among = ALL): LocalTarget {
  const target = among.find((each) => each.name === name);
  if (target === undefined) throw new Error(`there is no ${name}`);
  return target;
}

const ask = async (url: string) => (await fetch(url)).text();

const nowNs = () => Number(process.hrtime.bigint());

async function timerOf(origin: string, sinceNs = 0) {
  return handlerTimeSchema.parse(JSON.parse(await ask(`${origin}/timer?since=${sinceNs}`)));
}

test('all answer as they declare, and know nothing before any request', async () => {
  const found = ALL.map(async (target) => {
    await using server = await startRaw(target);
    const timer = target.name === SIZED_NAME ? null : await timerOf(server.origin);
    const problems = [await server.problem(), await server.problem()];
    const text = await server.answer([REQUEST], 1);
    return { name: target.name, timer, problems, text: text.replace(/^date: .*$/im, '') };
  });
  const all = await Promise.all(found);
  const expected = ALL.map((target) => {
    // Of these nobody asks what the garbage collector takes.
    const gcNs = target.start.includes('later.ts') ? null : 0;
    const timer = target.name === SIZED_NAME ? null : { medianNs: 0, meanNs: 0, gcNs };
    return { name: target.name, timer, problems: [null, null] };
  });
  expect(all).toMatchObject(expected);
  // To all else they answer the same, whatever they do, those of a language each.
  for (const same of Map.groupBy(targets, ({ start }) => start[0]).values()) {
    const texts = all.filter(({ name }) => same.some((each) => each.name === name));
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
    expect(texts[0]?.text).toContain('Hello World!');
  }
});

describe('a server with a clock', () => {
  const REQUESTS = 20;
  /** So many that what they leave has to be collected. */
  const MANY = 5000;
  /** With hardly any work but that which leaves garbage. */
  const cheap = truthTargets(1);

  test('tells what the extra work of each request takes, which is part of the request', async () => {
    const timeOf = async (name: string) => {
      await using server = await startRaw(targetOf(name));
      const begin = performance.now();
      for (let request = 0; request < REQUESTS; request++) await ask(server.origin);
      const wallNs = (performance.now() - begin) * 1e6;
      const timer = await timerOf(server.origin);
      // Since now there was none.
      expect(await timerOf(server.origin, nowNs())).toEqual({ medianNs: 0, meanNs: 0, gcNs: 0 });
      return { wallNs, ...timer };
    };
    const little = await timeOf('spin-1');
    const { wallNs, medianNs, meanNs, gcNs } = await timeOf('spin-10');
    expect(little.medianNs).toBeGreaterThan(0);
    expect(medianNs).toBeGreaterThan(3 * little.medianNs);
    // Where some request came late, the clock counts from there.
    expect(meanNs).toBeLessThan(wallNs);
    // At least half of them took as long as the median, and none less than nothing.
    expect(meanNs).toBeGreaterThan(medianNs * 0.45);
    expect(gcNs).toBeGreaterThanOrEqual(0);
  });

  const soon = LATER.filter(({ name }) => name !== 'seldom');
  test.each(soon)('tells what is done of it at another time: $label', async ({ name }) => {
    await using busy = await startRaw(targetOf(name));
    await using idle = await startRaw(targetOf(idleOf(name)));
    for (const { origin } of [busy, idle]) {
      for (let request = 0; request < 2 * REQUESTS_A_MESSAGE; request++) await ask(origin);
    }
    // What is batched is done 250 ms later, and all has been told of by then.
    await sleep(400);
    const [work, nothing] = [await timerOf(busy.origin), await timerOf(idle.origin)];
    // 3 µs are 300,000 turns here, and take a tenth of a millisecond at the least.
    expect(work.meanNs).toBeGreaterThan(1e5);
    expect(nothing.meanNs).toBeLessThan(work.meanNs / 2);
    expect((await timerOf(busy.origin, nowNs())).meanNs).toBe(0);
  });

  test('tells what collecting garbage takes', async () => {
    const telling = GARBAGE.map(async ({ name }) => {
      await using server = await startRaw(targetOf(name, cheap.targets));
      const { length } = await server.answer([REQUEST], 1);
      // A pause within them begins anew, so a busy machine may take several tries.
      for (let attempt = 0; attempt < 40; attempt++) {
        await server.answer([REQUEST.repeat(MANY)], MANY * length);
        const { medianNs, gcNs } = await timerOf(server.origin);
        expect(medianNs).toBeGreaterThan(0);
        if (gcNs !== null && gcNs > 0) return;
      }
      throw new Error(`nothing of ${name} was ever collected`);
    });
    await Promise.all(telling);
  });
});

test('a server whose work nobody knows does not start', async () => {
  const twin = targetOf('twin-a');
  const start: LocalTarget['start'] = ['node', 'working.ts', '1', 'sleep', '1'];
  const { exitCode, stderr } = await startProcess({ ...twin, start }, 1);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('node working.ts TURNS KIND AMOUNT');
});

test('the server of known size answers with exactly as many bytes as it says', async () => {
  await using server = await startRaw(targetOf(SIZED_NAME));
  const answer = await server.answer([REQUEST], SIZED.head + SIZED.body);
  expect(answer.indexOf('\r\n\r\n') + 4).toBe(SIZED.head);
  expect(answer.slice(SIZED.head)).toBe('x'.repeat(SIZED.body));
});
