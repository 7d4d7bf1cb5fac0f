/** Probes servers that are odd in one way each. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { type ProbeResult, probeTarget } from '../../src/launch/probe.ts';
import { HOST } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { onPath } from '../../src/system/on-path.ts';
import type { Exchange } from '../../src/targets/exchange.ts';
import { namedTargets, serverOfCommand } from '../../src/targets/named.ts';
import { type Launching, odd, startContext } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();
const PLAIN = { method: 'GET', path: '/', headers: {}, body: null } as const;
const TEXT = { 'content-type': 'text/plain' };

interface Asked {
  request?: Exchange['request'];
  env?: Record<string, string>;
  status?: number;
}

/** What a probe finds out about a command, or why it can't be measured. */
async function probed(
  words: string[],
  { request = PLAIN, env = {}, status }: Asked = {},
  launching?: Launching,
): Promise<ProbeResult | UserError> {
  const names = [words.slice(2).join(' ')];
  const common = { requests: [request], isAsked: false, env, names };
  const [named] = namedTargets([serverOfCommand(words, place.folder)], common);
  if (named === undefined) throw new Error('nothing was named');
  await using guarded = startContext(launching);
  try {
    return await probeTarget(named, status ?? null, guarded.context);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

function bytes(data: string): Exchange['expect'] {
  return { status: 200, headers: TEXT, body: { kind: 'bytes', bytes: { encoding: 'utf8', data } } };
}

test('their answers are expected, wherever they listen', async () => {
  const body = { encoding: 'utf8', data: 'höher' } as const;
  const request = { method: 'POST', path: '/x?y=1', headers: { 'x-tag': 'a' }, body } as const;
  const length = { kind: 'length', bytes: 7 } as const;
  const ways: [way: string, expected: Exchange['expect'], asked?: Asked][] = [
    ['plain', bytes('Hello World!')],
    ['all-addresses', bytes('Hello World!')],
    ['only-ipv6', bytes('Hello World!')],
    ['leaves', bytes('Hello World!')],
    ['echoes', bytes('POST /x?y=1 a höher'), { request }],
    ['environment', bytes('yes no'), { env: { TOLD: 'yes', UNTOLD: 'no' } }],
    ['counts', { status: 200, headers: TEXT, body: length }],
    ['grows', { status: 200, headers: TEXT, body: { kind: 'any' } }],
    ['missing', { ...bytes(''), status: 404, headers: {} }, { status: 404 }],
  ];
  const port = await freePort(HOST);
  place.watch(port);
  const [own, ...all] = await Promise.all([
    probed(odd('own-port', String(port))),
    ...ways.map(([way, , asked]) => probed(odd(way), asked)),
  ]);
  expect(own).toMatchObject({ target: { fixedPort: port } });
  expect(all).toMatchObject(
    ways.map(([, expected]) => ({
      target: { fixedPort: null, requests: [{ expect: expected }] },
      pipelines: true,
    })),
  );
});

async function tls(): Promise<string[]> {
  const [key, cert] = [join(place.folder, 'key.pem'), join(place.folder, 'cert.pem')];
  const made = ['-newkey', 'rsa:2048', '-keyout', key, '-out', cert];
  await execa('openssl', ['req', '-x509', ...made, '-nodes', '-subj', '/CN=x', '-days', '1']);
  const pair = JSON.stringify({ key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') });
  const listen = 'listen(process.env.PORT)';
  return ['node', '-e', `require('https').createServer(${pair}, (_, it) => it.end()).${listen}`];
}

test('servers that can not be measured are refused, with advice', async () => {
  const refused: [words: string[], says: string, next: string][] = [
    [odd('redirects'), 'it redirects (302) to /elsewhere', '--status 302'],
    [odd('missing'), 'it answers with status 404', '--path'],
    [odd('one-host'), 'it answers only to the host name "localhost"', '127.0.0.1'],
    [odd('closes'), 'it closes every connection', 'keep connections alive'],
    [odd('large', '17000000'), 'its answer has 17 MB, and 16 MB', '--path'],
    [odd('ends'), 'no configuration', 'PORT and HOST'],
    [['no-such-program-here', 'a.js'], 'there is no program', 'Install it'],
  ];
  if (onPath('openssl')) refused.push([await tls(), 'it speaks TLS', 'without']);
  const all = await Promise.all(refused.map(([words]) => probed(words)));
  const containing = (text: string) => expect.stringContaining(text);
  const refusals = refused.map(([, says, next]) => {
    return { message: containing(says), next: containing(next) };
  });
  expect(all).toMatchObject(refusals);
  const late = await probed(odd('never-listens'), {}, { startTimeoutMs: 1000 });
  expect(late).toMatchObject({ message: containing('it accepted no connection within 1 s') });
});

test('a server is stopped when its probe is aborted', async () => {
  const asked = join(place.folder, 'asked');
  const abort = new AbortController();
  const probing = probed(odd('silent', asked), {}, { signal: abort.signal });
  const reason = probing.catch((error: unknown) => error);
  expect(await eventually(() => existsSync(asked), 10_000)).toBe(true);
  abort.abort(new Error('given up'));
  expect(await reason).toEqual(new Error('given up'));
});
