/** The servers of this repository, and in detail those whose responses are always the same bytes. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { PACKAGES } from '../../src/base/places.ts';
import { truthTargets } from '../../src/studies/truth/targets.ts';
import { CANNED_RESPONSE } from '../../src/targets/canned-response.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { REQUEST, startProcess, startRaw } from '../support/raw-server.ts';

const { targets, probes } = truthTargets(1);
const WORKING = targets.filter(({ name }) => name === 'spin-1');
/** These answer each request with the same bytes, whatever it is. */
const BLIND = [CANNED_RESPONSE, ...probes];
const TARGETS = [...readTargets(PACKAGES), ...WORKING, ...BLIND];
/** These end by themselves; Nest then sends itself the signal again. */
const EXIT_THEMSELVES = ['express-app', 'fastify-app', 'node-http', 'spin-1', 'canned', 'sized'];

ownPlace();

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
test.each(
  TARGETS.flatMap((target) => SIGNALS.map((signal) => ({ name: target.name, signal, target }))),
)('$name answers as declared, cannot share its port, and ends on $signal', async (given) => {
  const { name, signal, target } = given;
  await using server = await startRaw(target);
  expect(await server.problem()).toBeNull();
  const { exitCode, stderr } = await startProcess(target, server.port);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('EADDRINUSE');
  expect(await server.problem()).toBeNull();
  // With a connection open.
  const socket = await server.connect();
  socket.on('error', () => {});
  const ended = EXIT_THEMSELVES.includes(name) ? { exitCode: 0 } : { signal };
  expect(await server.end(signal)).toMatchObject(ended);
  socket.destroy();
});

const [MOST, END] = [REQUEST.slice(0, -2), REQUEST.slice(-2)];
const PIECES: [name: string, pieces: string[], requests: number][] = [
  ['several requests at once', [REQUEST.repeat(10)], 10],
  ['one after the other', [REQUEST, REQUEST, REQUEST], 3],
  ['a request cut in its head', ['GET / HT', REQUEST.slice(8)], 1],
  ['a request cut in the bytes that end it', [MOST, END], 1],
  ['requests of which a piece ends another', [REQUEST + MOST, END + REQUEST, REQUEST], 4],
  ['byte by byte', [...REQUEST], 1],
  ['no whole request', [REQUEST.slice(0, -1)], 0],
];

describe.each(BLIND)('$name', (target) => {
  test('answers each request once, however it arrives, and keeps connections apart', async () => {
    await using server = await startRaw(target);
    const answer = await server.answer([REQUEST], 1);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\n(Hello World!|x+)$/);
    const given = PIECES.map(async ([name, pieces, requests]) => {
      return { name, given: await server.answer(pieces, answer.length * requests) };
    });
    expect(await Promise.all(given)).toEqual(
      PIECES.map(([name, , requests]) => ({ name, given: answer.repeat(requests) })),
    );
  });

  test('survives clients that reset their connections', async () => {
    await using server = await startRaw(target);
    for (let client = 0; client < 5; client++) {
      const socket = await server.connect();
      socket.write(REQUEST.repeat(1000));
      // Whatever is under way to a client that resets its connection is lost.
      await once(socket, 'readable');
      socket.resetAndDestroy();
    }
    expect(await server.answer([REQUEST], 1)).toContain('200 OK');
  });
});
