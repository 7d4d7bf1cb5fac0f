import { beforeAll, describe, expect, test } from 'vitest';
import { buildTargets } from '../../../src/launch/build.ts';
import { problemOf } from '../../../src/launch/verify.ts';
import { handlerTimeSchema } from '../../../src/record/record.ts';
import {
  GARBAGE,
  IN_GO,
  isTimed,
  SIZED,
  SIZED_NAME,
  truthTargets,
} from '../../../src/studies/truth/targets.ts';
import { equipped } from '../../../src/targets/needs.ts';
import type { LocalTarget } from '../../../src/targets/targets.ts';
import { ownPlace } from '../../support/leftovers.ts';
import { exchangeOf } from '../../support/make-record.ts';
import { connected, exchange, REQUEST, startProcess, startRaw } from '../../support/raw-server.ts';

ownPlace();

/** So many turns for 1 µs are far too many: the extra work of 1 µs takes at least some 10 µs. */
const TURNS = 100_000;
const { targets: all, probes } = truthTargets(TURNS);
/** Those in Go are tested where Go is. */
const { targets } = equipped(all);
const ALL = [...targets, ...probes];

const BUILD_MS = 120_000;
beforeAll(() => buildTargets(targets, new AbortController().signal, () => {}), BUILD_MS);

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
  expect(
    answers.map((answer) =>
      problemOf({ ...answer, body: Buffer.from(answer.body) }, exchangeOf(target).expect),
    ),
  ).toEqual([null, null]);
});

test.each([targetOf(SIZED_NAME), targetOf('spin-1')])(
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
  /** So many that what they leave has to be collected. */
  const MANY = 20_000;
  /** With hardly any work but that which leaves garbage. */
  const cheap = truthTargets(1);

  test.each(targets)(
    '$name knows nothing before any request, and says so in numbers',
    async (target) => {
      await using server = await startRaw(target);
      expect(await timerOf(server.origin)).toEqual({ medianNs: 0, meanNs: 0, gcNs: 0 });
    },
  );

  test('tells what the extra work of each request takes, which is part of the request', async () => {
    await using server = await startRaw(targetOf('spin-3'));
    const begin = performance.now();
    for (let request = 0; request < REQUESTS; request++) await ask(server.origin);
    const wallNs = (performance.now() - begin) * 1e6;
    const { medianNs, meanNs, gcNs } = await timerOf(server.origin);
    expect(medianNs).toBeGreaterThan(0);
    expect(meanNs).toBeGreaterThan(0);
    // Where some request came late, the clock counts from there.
    expect(meanNs).toBeLessThan(wallNs);
    // At least half of them took as long as the median, and none less than nothing.
    expect(meanNs).toBeGreaterThan(medianNs * 0.45);
    expect(gcNs).toBeGreaterThanOrEqual(0);
    // Each telling begins another count.
    expect(await timerOf(server.origin)).toEqual({ medianNs: 0, meanNs: 0, gcNs: 0 });
  });

  test('tells several times as much of a server that does ten times as much', async () => {
    const medianOf = async (name: string) => {
      await using server = await startRaw(targetOf(name));
      for (let request = 0; request < REQUESTS; request++) await ask(server.origin);
      return (await timerOf(server.origin)).medianNs;
    };
    expect(await medianOf('spin-10')).toBeGreaterThan(3 * (await medianOf('spin-1')));
  });

  test.each(GARBAGE)('tells what collecting $label takes', async ({ name }) => {
    const target = cheap.targets.find((each) => each.name === name);
    if (target === undefined) throw new Error(`there is no ${name}`);
    await using server = await startRaw(target);
    const answers = async (requests: number, bytes: number) => {
      return await exchange(await connected(server.port), [REQUEST.repeat(requests)], bytes);
    };
    const { length } = await answers(1, 1);
    // A pause within them begins anew, so a busy machine may take several tries.
    for (let attempt = 0; attempt < 10; attempt++) {
      await answers(MANY, MANY * length);
      const { medianNs, gcNs } = await timerOf(server.origin);
      expect(medianNs).toBeGreaterThan(0);
      if (gcNs !== null && gcNs > 0) return;
    }
    throw new Error('nothing was ever collected');
  });

  const byLanguage = [...Map.groupBy(targets, ({ start }) => start[0]).values()];
  test.each(byLanguage)('answers the same to all else, whatever it does', async (...same) => {
    const texts = await Promise.all(
      same.map(async (target) => {
        await using server = await startRaw(target);
        const text = await exchange(await connected(server.port), [REQUEST], 1);
        return text.replace(/^date: .*$/im, '');
      }),
    );
    expect(texts[0]).toContain('Hello World!');
    expect(new Set(texts).size).toBe(1);
  });
});

test('a server whose work nobody knows does not start', async () => {
  const twin = targetOf('twin-a');
  const start: LocalTarget['start'] = ['node', 'working.ts', '1', 'sleep', '1'];
  const { exitCode, stderr } = await startProcess({ ...twin, start }, 1);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('node working.ts TURNS KIND AMOUNT');
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
  const ownWork = ({ start }: LocalTarget) => start.slice(-2);

  test('have names and labels of their own', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
    expect(new Set(ALL.map(({ label }) => label)).size).toBe(ALL.length);
  });

  const [inNode = [], inGo = []] = Map.groupBy(all, ({ start }) => start[0]).values();

  test('in Go are one, and that one with more work', () => {
    const [base, ...known] = inGo;
    expect(base && ownWork(base)).toEqual(['spin', '0']);
    expect(known.map(({ over }) => over)).toEqual(IN_GO.map(() => base?.name));
    expect(known.map(ownWork)).toEqual(
      IN_GO.map(({ work, amount }) => [work, String(work === 'spin' ? amount * TURNS : amount)]),
    );
  });

  test('are one twice, and that one with more work, which is counted from the first twin', () => {
    const [twin, other, ...known] = inNode;
    expect(other?.start).toEqual(twin?.start);
    expect([twin?.over, other?.over]).toEqual([null, null]);
    expect(known.map(({ over }) => over)).toEqual(known.map(() => twin?.name));
    for (const { start } of known) expect(start.slice(0, -2)).toEqual(twin?.start.slice(0, -2));
    expect(twin && ownWork(twin)).toEqual(['spin', '0']);
    expect(known.map(ownWork)).toEqual([
      ['spin', String(TURNS)],
      ['spin', String(3 * TURNS)],
      ['spin', String(10 * TURNS)],
      ...GARBAGE.map(({ work, amount }) => [work, String(amount)]),
    ]);
  });

  test('have a clock, all but the one of known size, which is compared with nothing', () => {
    expect(targets.every(isTimed)).toBe(true);
    expect(probes.map(({ name }) => name)).toEqual([SIZED_NAME]);
    expect(probes.some(isTimed)).toBe(false);
  });
});
