import { once } from 'node:events';
import { expect, test } from 'vitest';
import { problemOf } from '../../src/launch/verify.ts';
import { CANNED } from '../../src/targets/canned.ts';
import { ownPlace } from '../support/leftovers.ts';
import { exchangeOf } from '../support/make-record.ts';
import {
  connected,
  exchange,
  type RawServer,
  REQUEST,
  startProcess,
  startRaw,
} from '../support/raw-server.ts';

ownPlace();

/** What one request brings, byte for byte. */
async function answerOf(port: number): Promise<string> {
  return await exchange(await connected(port), [REQUEST], 1);
}

test('the canned server answers as it declares', async () => {
  await using server = await startRaw(CANNED);
  const response = await fetch(server.origin);
  const headers = Object.fromEntries(response.headers);
  const answer = {
    status: response.status,
    headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
  expect(problemOf(answer, exchangeOf(CANNED).expect)).toBeNull();
  expect(await answerOf(server.port)).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\nHello World!$/);
});

const CUT = REQUEST.length - 2;

const PIECES = [
  { name: 'several requests at once', pieces: [REQUEST.repeat(10)], requests: 10 },
  { name: 'one after the other', pieces: [REQUEST, REQUEST, REQUEST], requests: 3 },
  { name: 'a request cut in its head', pieces: ['GET / HT', REQUEST.slice(8)], requests: 1 },
  {
    name: 'a request cut within the bytes that end it',
    pieces: [REQUEST.slice(0, CUT), REQUEST.slice(CUT)],
    requests: 1,
  },
  {
    name: 'requests of which each piece ends another',
    pieces: [REQUEST + REQUEST.slice(0, CUT), REQUEST.slice(CUT) + REQUEST, REQUEST],
    requests: 4,
  },
  { name: 'byte by byte', pieces: [...REQUEST], requests: 1 },
  { name: 'no whole request', pieces: [REQUEST.slice(0, -1)], requests: 0 },
];

test('gives each request one answer, however it comes', async () => {
  await using server = await startRaw(CANNED);
  const answer = await answerOf(server.port);
  const given = PIECES.map(async ({ name, pieces, requests }) => {
    const socket = await connected(server.port);
    return { name, given: await exchange(socket, pieces, answer.length * requests) };
  });
  expect(await Promise.all(given)).toEqual(
    PIECES.map(({ name, requests }) => ({ name, given: answer.repeat(requests) })),
  );
});

test('keeps connections apart', async () => {
  await using server = await startRaw(CANNED);
  const answer = await answerOf(server.port);
  const begun = await connected(server.port);
  begun.write(REQUEST.slice(0, CUT));
  expect(await answerOf(server.port)).toBe(answer);
  expect(await exchange(begun, [REQUEST.slice(CUT)], answer.length)).toBe(answer);
});

test('goes on when a client goes away in the middle', async () => {
  await using server = await startRaw(CANNED);
  for (let client = 0; client < 5; client++) {
    const socket = await connected(server.port);
    socket.write(REQUEST.repeat(1000));
    // Whatever is under way to a client that resets its connection is lost.
    await once(socket, 'readable');
    socket.resetAndDestroy();
  }
  expect(await answerOf(server.port)).toContain('Hello World!');
});

test('cannot share its port, and ends on SIGTERM, with a connection open', async () => {
  await using server = await startRaw(CANNED);
  const { exitCode, stderr } = await startProcess(CANNED, server.port);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('EADDRINUSE');
  await endsOn('SIGTERM', server);
});

test('ends on SIGINT, with a connection open', async () => {
  await using server = await startRaw(CANNED);
  await endsOn('SIGINT', server);
});

async function endsOn(signal: NodeJS.Signals, server: RawServer): Promise<void> {
  const socket = await connected(server.port);
  socket.on('error', () => {});
  expect(await server.end(signal)).toMatchObject({ exitCode: 0 });
  socket.destroy();
}
