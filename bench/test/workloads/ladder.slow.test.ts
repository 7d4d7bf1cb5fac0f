/** All frameworks give the same answers on the same rung, also to invalid requests. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { bytesOf } from '../../src/targets/exchange.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startAnswering, workload } from '../support/workload.ts';

const { targets, isBuilt } = workload('ladder', 'mariadb');
const FRAMEWORKS = ['express', 'fastify', 'floor', 'nest', 'nest-fastify'];
const RUNGS = ['text', 'json', 'params', 'body', 'hooks', 'log', 'token', 'row', 'error'];

ownPlace();

const ITEM = '/items/42?currency=EUR';
const JSON_TYPE = { 'content-type': 'application/json' };

/** The authorization header of a token signed with this secret, by HMAC with SHA-256 (RFC 7515). */
function signed(secret: string, claims: { iss?: string; aud?: string; exp?: number }): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const payload = { sub: 'ada', iss: 'overhead', aud: 'ladder', ...claims };
  const text = `${encode({ alg: 'HS256' })}.${encode(payload)}`;
  return `Bearer ${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** The targets of a rung: one for each framework and validator. */
function ofRung(rung: string): LocalTarget[] {
  return targets.filter((target) => target.env.RUNG === rung);
}

test('every framework has every rung, each of which changes one variable and is sent the same', () => {
  for (const rung of RUNGS) {
    const own = ofRung(rung).filter(({ env }) => !('VALIDATOR' in env));
    const names = FRAMEWORKS.map((name) => (rung === 'text' ? name : `${name}-${rung}`));
    expect(own.map(({ name }) => name)).toEqual(names);
    const [first, ...others] = own.map(({ requests, services, env, variant }) => {
      // Frameworks send text with different types.
      const [exchange] = requests;
      const { body, status } = exchange?.expect ?? {};
      return { request: exchange?.request, body, status, services, env, variant };
    });
    for (const other of others) expect(other).toEqual(first);
  }
  expect(RUNGS.flatMap(ofRung)).toHaveLength(targets.length);
});

describe('the servers', () => {
  isBuilt();

  test('answer as declared', async () => {
    // The other rungs are verified at the start of the tests below.
    const rungs = ['text', 'json', 'hooks', 'token', 'error'];
    await using _servers = await startAnswering(rungs.flatMap(ofRung));
  });

  test('refuse the same bodies in the same words, whoever validates', async () => {
    const [sent] = ofRung('body').flatMap(({ requests }) => requests[0]?.request.body ?? []);
    const order = JSON.parse(sent === undefined ? '' : bytesOf(sent).toString());
    const { customer: _, ...without } = order;
    const tags = ['a', 'b', 'c', 'd', 'e'];
    const good = [order, { ...order, tags }, { ...order, tags: [] }, { ...order, quantity: 1000 }];
    const invalid: Record<string, unknown[]> = {
      more: [1],
      quantity: ['3', 1.5, 0, 1001],
      gift: ['true'],
      customer: ['', 'a'.repeat(101)],
      tags: [[...tags, 'f'], [1], 'a'],
      delivery: [{ ...order.delivery, zip: '1' }, {}, null, 'London'],
    };
    const changed = Object.entries(invalid).flatMap(([key, values]) => {
      return values.map((value) => ({ ...order, [key]: value }));
    });
    const bad = [without, ...changed, {}, [], [order]].map((body) => JSON.stringify(body));
    const ask = (body: string) => ({ path: ITEM, method: 'POST', headers: JSON_TYPE, body });
    await using servers = await started(ofRung('body'));
    for (const body of good) {
      const { status } = await servers.sameOfAll(ask(JSON.stringify(body)));
      expect(status, JSON.stringify(body)).toBe(200);
    }
    for (const body of [...bad, '{"customer":', '']) {
      const answer = await servers.sameOfAll(ask(body));
      expect(answer, body).toMatchObject({
        status: 400,
        body: '{"statusCode":400,"error":"Bad Request"}',
      });
    }
  });

  test('refuse the same tokens and rows, whoever validates', async () => {
    const [declared] = ofRung('row').flatMap(({ requests }) => requests[0]?.request ?? []);
    if (!declared?.body) throw new Error('a row has a body');
    const body = bytesOf(declared.body).toString();
    const ours = declared.headers.authorization ?? '';
    const secret = 'the-secret-of-the-ladder-is-no-secret';
    await using servers = await started(ofRung('row'));
    const ask = (path: string, authorization: string | undefined) => {
      const headers = { ...JSON_TYPE, ...(authorization ? { authorization } : {}) };
      return servers.sameOfAll({ path, method: 'POST', headers, body });
    };
    expect(await ask(ITEM, signed(secret, {}))).toMatchObject({ status: 200 });
    const refused = [
      ...[undefined, 'Bearer ', 'Bearer a.b.c', ours.slice('Bearer '.length), `${ours}x`],
      signed('another-secret-that-is-not-that-of-the-ladder', {}),
      signed(secret, { aud: 'another' }),
      signed(secret, { iss: 'another' }),
      signed(secret, { exp: 1 }),
    ];
    for (const authorization of refused) {
      expect(await ask(ITEM, authorization), authorization).toMatchObject({
        status: 401,
        body: '{"statusCode":401,"error":"Unauthorized"}',
      });
    }
    for (const id of ['1001', '0', 'none']) {
      expect(await ask(`/items/${id}?currency=EUR`, ours), id).toMatchObject({
        status: 404,
        body: '{"statusCode":404,"error":"Not Found"}',
      });
    }
    const other = await ask('/items/7?currency=EUR', ours);
    expect(JSON.parse(other.body)).toMatchObject({ item: { name: 'Item 7', price: 707 } });
  });

  test('take parameters as they are written', async () => {
    await using servers = await started(ofRung('params'));
    const asked = { path: '/items/a%20b?currency=%E2%82%AC', method: 'GET' };
    const { body } = await servers.sameOfAll(asked);
    expect(JSON.parse(body)).toEqual({ id: 'a b', currency: '€' });
  });

  test('write the same line for a request, and one alone', async () => {
    using folder = temporaryFolder();
    const logged = ofRung('log').map((target) => {
      return { ...target, env: { ...target.env, LOG_FILE: join(folder.path, target.name) } };
    });
    // Servers write whole buffers of 4 kB, and lines of the verification too.
    const paths = Array.from({ length: 60 }, (_, place) => `/items/${place}?currency=EUR`);
    await using servers = await started(logged);
    for (const path of paths) {
      await servers.sameOfAll({ path, method: 'POST', headers: JSON_TYPE, body: '{}' });
    }
    for (const { name } of logged) {
      const lines = await vi.waitFor(() => {
        const text = readFileSync(join(folder.path, name), 'utf8');
        const whole = text.slice(0, text.lastIndexOf('\n')).split('\n').filter(Boolean);
        const all = whole.map((line) => JSON.parse(line));
        const refused = all.filter(({ res }) => res?.statusCode === 400);
        expect(refused.length, name).toBeGreaterThan(10);
        return refused;
      });
      for (const [place, { reqId: _, ...line }] of lines.entries()) {
        expect(line, name).toEqual({
          ...{ level: 30, time: expect.any(Number), pid: expect.any(Number) },
          ...{ hostname: expect.any(String), responseTime: expect.any(Number) },
          ...{ req: { method: 'POST', url: paths[place] }, res: { statusCode: 400 } },
          msg: 'request completed',
        });
      }
    }
  });
});

/** Starts these servers, which all get the same requests. */
async function started(own: LocalTarget[]) {
  const servers = await startAnswering(own);
  return {
    ...servers,
    /** Expects that all servers give the same answer, and returns it. */
    async sameOfAll({ path, ...request }: RequestInit & { path: string }) {
      const answers = own.map(async ({ name }) => {
        const answer = await fetch(servers.originOf(name) + path, request);
        const type = answer.headers.get('content-type');
        return { status: answer.status, type, body: await answer.text() };
      });
      const [first, ...others] = await Promise.all(answers);
      if (first === undefined) throw new Error('nobody was asked');
      for (const [place, other] of others.entries()) {
        expect(other, `${own[place + 1]?.name}: ${request.body}`).toEqual(first);
      }
      return first;
    },
  };
}
