/** What a few requests tell of servers that are odd in one way each: each is started and asked for a second. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { type ProbeResult, probeTarget } from '../../src/launch/probe.ts';
import { HOST, type LaunchContext } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { onPath } from '../../src/system/on-path.ts';
import type { Exchange } from '../../src/targets/exchange.ts';
import { namedTargets, ofCommand } from '../../src/targets/named.ts';
import { FIXTURES, SINGLE, startContext, startFixtures } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();
const PLAIN = { method: 'GET', path: '/', headers: {}, body: null } as const;
const TEXT = { 'content-type': 'text/plain' };

/** How a server is odd, and what it is asked. */
interface Odd {
  way: string[];
  request?: Exchange['request'];
  env?: Record<string, string>;
  status?: number;
}

/** The words that start an odd server. */
function oddly(...way: string[]): string[] {
  return ['node', join(FIXTURES, 'odd.mjs'), ...way];
}

/** What a probe finds out about a command, or why nothing can be measured of it. */
async function probed(
  words: string[],
  { request = PLAIN, env = {}, status }: Omit<Odd, 'way'>,
  context: LaunchContext,
): Promise<ProbeResult | UserError> {
  const command = ofCommand(words, place.folder);
  const [named] = namedTargets([command], {
    ...{ requests: [request], isAsked: false, env },
    names: [words.slice(2).join(' ')],
  });
  if (named === undefined) throw new Error('nothing was named');
  try {
    return await probeTarget(named, status ?? null, context);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

/** The answer that this text is, byte by byte. */
function bytes(data: string): Exchange['expect'] {
  return { status: 200, headers: TEXT, body: { kind: 'bytes', bytes: { encoding: 'utf8', data } } };
}

test('what they answer is expected, wherever they listen and whatever they were told', async () => {
  const body = { encoding: 'utf8', data: 'höher' } as const;
  const request = { method: 'POST', path: '/x?y=1', headers: { 'x-tag': 'a' }, body } as const;
  const odd: (Odd & { expected: Exchange['expect'] })[] = [
    { way: ['plain'], expected: bytes('Hello World!') },
    { way: ['all-addresses'], expected: bytes('Hello World!') },
    { way: ['only-ipv6'], expected: bytes('Hello World!') },
    { way: ['leaves'], expected: bytes('Hello World!') },
    { way: ['echoes'], request, expected: bytes('POST /x?y=1 a höher') },
    { way: ['environment'], env: { TOLD: 'yes', UNTOLD: 'no' }, expected: bytes('yes no') },
    {
      way: ['counts'],
      expected: { status: 200, headers: TEXT, body: { kind: 'length', bytes: 7 } },
    },
    { way: ['grows'], expected: { status: 200, headers: TEXT, body: { kind: 'any' } } },
    { way: ['missing'], status: 404, expected: { ...bytes(''), status: 404, headers: {} } },
  ];
  const port = await freePort(HOST);
  place.watch(port);
  await using guarded = startContext();
  const [own, ...all] = await Promise.all([
    probed(oddly('own-port', String(port)), {}, guarded.context),
    ...odd.map(({ way, ...asked }) => probed(oddly(...way), asked, guarded.context)),
  ]);
  expect(own).toMatchObject({ target: { fixedPort: port } });
  expect(all).toMatchObject(
    odd.map(({ expected }) => ({
      target: { fixedPort: null, requests: [{ expect: expected }] },
      pipelines: true,
    })),
  );
});

/** A server that speaks TLS. */
async function tls(): Promise<string[]> {
  const [key, cert] = [join(place.folder, 'key.pem'), join(place.folder, 'cert.pem')];
  const made = ['-newkey', 'rsa:2048', '-keyout', key, '-out', cert];
  await execa('openssl', ['req', '-x509', ...made, '-nodes', '-subj', '/CN=x', '-days', '1']);
  const pair = JSON.stringify({ key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') });
  return [
    ...['node', '-e'],
    `require('https').createServer(${pair}, (_, it) => it.end()).listen(process.env.PORT)`,
  ];
}

test('those that can not be measured are refused, with what to do', async () => {
  const odd: { words: string[]; says: string; next: string }[] = [
    { words: oddly('redirects'), says: 'it redirects (302) to /elsewhere', next: '--status 302' },
    { words: oddly('missing'), says: 'it answers with status 404', next: '--path' },
    {
      words: oddly('one-host'),
      says: 'it answers only to the host name "localhost"',
      next: '127.0.0.1',
    },
    { words: oddly('closes'), says: 'it closes every connection', next: 'keep connections alive' },
    { words: oddly('large', '17000000'), says: 'its answer has 17 MB, and 16 MB', next: '--path' },
    { words: oddly('ends'), says: 'no configuration', next: 'PORT and HOST' },
    { words: ['no-such-program-here', 'a.js'], says: 'there is no program', next: 'Install it' },
    ...(onPath('openssl') ? [{ words: await tls(), says: 'it speaks TLS', next: 'without' }] : []),
  ];
  await using guarded = startContext();
  const all = await Promise.all(odd.map(({ words }) => probed(words, {}, guarded.context)));
  expect(all).toMatchObject(
    odd.map(({ says, next }) => ({
      message: expect.stringContaining(says),
      next: expect.stringContaining(next),
    })),
  );
});

test('one that never listens is given up', async () => {
  await using guarded = startContext({ startTimeoutMs: 1000 });
  const error = await probed(oddly('never-listens'), {}, guarded.context);
  expect(error).toMatchObject({
    message: expect.stringContaining('it accepted no connection within 1 s'),
  });
});

test('one that is asked when the asking is given up is gone too', async () => {
  const asked = join(place.folder, 'asked');
  const given = new AbortController();
  await using guarded = startContext({ signal: given.signal });
  const probing = probed(oddly('silent', asked), {}, guarded.context);
  const reason = probing.catch((error: unknown) => error);
  expect(await eventually(() => existsSync(asked), 10_000)).toBe(true);
  given.abort(new Error('given up'));
  expect(await reason).toEqual(new Error('given up'));
});

test('of those that declare their answers one that does not answer the same every time is not ready', async () => {
  await using guarded = startContext();
  const names = ['never-the-same', 'several-requests', 'variant-of-ok'];
  await using ready = await startFixtures(names, [SINGLE], guarded.context);
  expect([...ready.servers.keys()].sort()).toEqual([
    ...['several-requests/single', 'variant-of-ok/single'],
  ]);
  expect(ready.notReady).toMatchObject([
    {
      server: 'never-the-same/single',
      when: 'verify',
      message:
        'it does not answer the same every time, so that nothing could be compared under load: ' +
        '"{\\"a\\":1,\\"b\\":2}", and then "{\\"b\\":2,\\"a\\":1}"',
    },
  ]);
});
