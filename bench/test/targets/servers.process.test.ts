/** The servers of this repository, and in detail the one with a canned response. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { PACKAGES } from '../../src/base/places.ts';
import { problemOf } from '../../src/launch/verify.ts';
import { CANNED_RESPONSE } from '../../src/targets/canned-response.ts';
import { type LocalTarget, readTargets } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { exchangeOf } from '../support/make-record.ts';
import { connected, exchange, REQUEST, startProcess, startRaw } from '../support/raw-server.ts';

const TARGETS = [...readTargets(PACKAGES), CANNED_RESPONSE];
/** These exit once they are closed; Nest then sends itself the signal again. */
const EXIT_THEMSELVES = ['express-app', 'fastify-app', 'node-http', 'canned'];

ownPlace();

async function expectAnswer(target: LocalTarget, origin: string): Promise<void> {
  const { request, expect: expected } = exchangeOf(target);
  const response = await fetch(origin + request.path);
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  const answer = { status, headers, body: Buffer.from(await response.arrayBuffer()) };
  expect(problemOf(answer, expected)).toBeNull();
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
test.each(
  TARGETS.flatMap((target) => SIGNALS.map((signal) => ({ name: target.name, signal, target }))),
)('$name answers as declared, cannot share its port, and ends on $signal', async (given) => {
  const { name, signal, target } = given;
  await using server = await startRaw(target);
  await expectAnswer(target, server.origin);
  const { exitCode, stderr } = await startProcess(target, server.port);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('EADDRINUSE');
  await expectAnswer(target, server.origin);
  // With a connection open.
  const socket = await connected(server.port);
  socket.on('error', () => {});
  const ended = EXIT_THEMSELVES.includes(name) ? { exitCode: 0 } : { signal };
  expect(await server.end(signal)).toMatchObject(ended);
  socket.destroy();
});

/** The response to one request, byte for byte. */
async function answerOf(port: number): Promise<string> {
  return await exchange(await connected(port), [REQUEST], 1);
}

const CUT = REQUEST.length - 2;
const PIECES: [name: string, pieces: string[], requests: number][] = [
  ['several requests at once', [REQUEST.repeat(10)], 10],
  ['one after the other', [REQUEST, REQUEST, REQUEST], 3],
  ['a request cut in its head', ['GET / HT', REQUEST.slice(8)], 1],
  ['a request cut in the bytes that end it', [REQUEST.slice(0, CUT), REQUEST.slice(CUT)], 1],
  [
    'requests of which each piece ends another',
    [REQUEST + REQUEST.slice(0, CUT), REQUEST.slice(CUT) + REQUEST, REQUEST],
    4,
  ],
  ['byte by byte', [...REQUEST], 1],
  ['no whole request', [REQUEST.slice(0, -1)], 0],
];

test('the canned response comes once for each request, however it arrives', async () => {
  await using server = await startRaw(CANNED_RESPONSE);
  const answer = await answerOf(server.port);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\nHello World!$/);
  const given = PIECES.map(async ([name, pieces, requests]) => {
    const socket = await connected(server.port);
    return { name, given: await exchange(socket, pieces, answer.length * requests) };
  });
  expect(await Promise.all(given)).toEqual(
    PIECES.map(([name, , requests]) => ({ name, given: answer.repeat(requests) })),
  );
});

test('the canned response server keeps connections apart', async () => {
  await using server = await startRaw(CANNED_RESPONSE);
  const answer = await answerOf(server.port);
  const begun = await connected(server.port);
  begun.write(REQUEST.slice(0, CUT));
  expect(await answerOf(server.port)).toBe(answer);
  expect(await exchange(begun, [REQUEST.slice(CUT)], answer.length)).toBe(answer);
});

test('the canned response server survives clients that reset their connections', async () => {
  await using server = await startRaw(CANNED_RESPONSE);
  for (let client = 0; client < 5; client++) {
    const socket = await connected(server.port);
    socket.write(REQUEST.repeat(1000));
    // Whatever is under way to a client that resets its connection is lost.
    await once(socket, 'readable');
    socket.resetAndDestroy();
  }
  expect(await answerOf(server.port)).toContain('Hello World!');
});
