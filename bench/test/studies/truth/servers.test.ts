import { describe, expect, test } from 'vitest';
import { problemOf } from '../../../src/launch/verify.ts';
import { handlerTimeSchema } from '../../../src/record/record.ts';
import {
  isTimed,
  SIZED,
  SIZED_NAME,
  spinNames,
  truthTargets,
} from '../../../src/studies/truth/targets.ts';
import type { LocalTarget } from '../../../src/targets/targets.ts';
import { ownPlace } from '../../support/leftovers.ts';
import { connected, exchange, REQUEST, startProcess, startRaw } from '../../support/raw-server.ts';

ownPlace();

/** So many turns for 1 µs are far too many: the extra work of 1 µs takes at least some 10 µs. */
const TURNS = 100_000;
const { targets, probes } = truthTargets(TURNS);
const ALL = [...targets, ...probes];

function targetOf(name: string): LocalTarget {
  const target = ALL.find((each) => each.name === name);
  if (target === undefined) throw new Error(`there is no ${name}`);
  return target;
}

async function ask(url: string) {
  const response = await fetch(url);
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

async function timerOf(origin: string) {
  return handlerTimeSchema.parse(JSON.parse((await ask(`${origin}/timer`)).body));
}

test.each(ALL)('$name answers as it declares', async (target) => {
  await using server = await startRaw(target);
  const answers = [await ask(server.origin), await ask(server.origin)];
  expect(answers.map((answer) => problemOf(answer, target.expect))).toEqual([null, null]);
});

test.each([targetOf(SIZED_NAME), targetOf(spinNames(1).plain)])(
  '$name ends when it is told to, and cannot share its port',
  async (target) => {
    await using server = await startRaw(target);
    const { exitCode, stderr } = await startProcess(target, server.port);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('EADDRINUSE');
    expect(await server.end('SIGTERM')).toMatchObject({ exitCode: 0 });
  },
);

describe('a server with a clock', () => {
  const REQUESTS = 20;

  test('tells what the extra work of each request takes, which is part of the request', async () => {
    await using server = await startRaw(targetOf(spinNames(3).timed));
    const begin = performance.now();
    for (let request = 0; request < REQUESTS; request++) await ask(server.origin);
    const wallNs = (performance.now() - begin) * 1e6;
    const { medianNs, meanNs } = await timerOf(server.origin);
    expect(medianNs).toBeGreaterThan(0);
    expect(meanNs).toBeGreaterThan(0);
    expect(meanNs * REQUESTS).toBeLessThan(wallNs);
    // At least half of them took as long as the median, and none less than nothing.
    expect(meanNs).toBeGreaterThan(medianNs * 0.45);
  });

  test('tells several times as much of a server that does ten times as much', async () => {
    const medianOf = async (us: 1 | 10) => {
      await using server = await startRaw(targetOf(spinNames(us).timed));
      for (let request = 0; request < REQUESTS; request++) await ask(server.origin);
      return (await timerOf(server.origin)).medianNs;
    };
    expect(await medianOf(10)).toBeGreaterThan(3 * (await medianOf(1)));
  });

  test('answers the same to all else as the one without', async () => {
    await using timed = await startRaw(targetOf(spinNames(1).timed));
    await using plain = await startRaw(targetOf(spinNames(1).plain));
    const bytes = await Promise.all(
      [timed, plain].map(async ({ port }) => exchange(await connected(port), [REQUEST], 1)),
    );
    const [first, second] = bytes.map((text) => text.replace(/^date: .*$/im, ''));
    expect(first).toContain('Hello World!');
    expect(second).toBe(first);
    expect((await ask(`${plain.origin}/timer`)).body).toBe('Hello World!');
  });
});

describe('the server of known size', () => {
  test.each([1, 7])('answers exactly as many bytes as it says to %d at once', async (requests) => {
    await using server = await startRaw(targetOf(SIZED_NAME));
    const each = SIZED.head + SIZED.body;
    const socket = await connected(server.port);
    const answers = await exchange(socket, [REQUEST.repeat(requests)], requests * each);
    expect(answers).toHaveLength(requests * each);
    for (let index = 0; index < requests; index++) {
      const answer = answers.slice(index * each, (index + 1) * each);
      expect(answer.indexOf('\r\n\r\n') + 4).toBe(SIZED.head);
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer.slice(SIZED.head)).toBe('x'.repeat(SIZED.body));
    }
  });

  test('puts a request together that comes in pieces', async () => {
    await using server = await startRaw(targetOf(SIZED_NAME));
    const pieces = [REQUEST.slice(0, -3), REQUEST.slice(-3)];
    const answer = await exchange(await connected(server.port), pieces, SIZED.head + SIZED.body);
    expect(answer).toHaveLength(SIZED.head + SIZED.body);
  });
});

describe('the servers of a truth run', () => {
  const argumentsOf = (name: string) => targetOf(name).start.slice(1);

  test('have names and labels of their own', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
    expect(new Set(ALL.map(({ label }) => label)).size).toBe(ALL.length);
  });

  test('are one twice, and that one with more work, which is counted from the first twin', () => {
    const [twin, other, ...spins] = targets;
    expect(other?.start).toEqual(twin?.start);
    expect([twin?.over, other?.over]).toEqual([null, null]);
    expect(spins.map(({ over }) => over)).toEqual(spins.map(() => twin?.name));
    const extra = spins.map(({ start }) => Number(start.at(-1)));
    expect(extra).toEqual([TURNS, 3 * TURNS, 10 * TURNS]);
    for (const { start } of spins) expect(start.slice(0, -1)).toEqual(twin?.start.slice(0, -1));
  });

  test.each([1, 3, 10])('time the very work that is counted, of %d µs', (us) => {
    const { plain, timed } = spinNames(us);
    expect(argumentsOf(timed)).toEqual([...argumentsOf(plain), 'timed']);
    expect([plain, timed].map((name) => isTimed(targetOf(name)))).toEqual([false, true]);
  });

  test('are compared without those that have a clock, and the one of known size', () => {
    expect(targets.some(isTimed)).toBe(false);
    expect(probes.map(({ name }) => name)).toEqual(['timed-1', 'timed-3', 'timed-10', 'sized']);
  });
});
