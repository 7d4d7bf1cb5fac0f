import { expect, test } from 'vitest';
import { byRequest } from '../../src/targets/by-request.ts';
import { textExchange } from '../../src/targets/exchange.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeTarget } from '../support/make-record.ts';

function asked(name: string, paths: string[], parts: Partial<LocalTarget> = {}): LocalTarget {
  const requests = paths.map((path) => {
    const exchange = textExchange(
      { method: 'GET', path },
      { status: 200, headers: {}, body: path },
    );
    return { ...exchange, weight: 2 };
  });
  return makeTarget(name, { label: name.toUpperCase(), requests, ...parts });
}

const BOTH = ['/home', '/latest'];

test('a target becomes one for each of its requests, with nothing else changed', () => {
  const target = asked('elysia', BOTH, { env: { A: '1' }, directory: '/board/elysia' });
  const parts = byRequest([target]);
  expect(parts.map(({ name, label }) => [name, label])).toEqual([
    ['elysia-home', 'ELYSIA /home'],
    ['elysia-latest', 'ELYSIA /latest'],
  ]);
  for (const [place, part] of parts.entries()) {
    expect(part).toEqual({
      ...target,
      ...{ name: part.name, label: part.label, requests: [target.requests[place]] },
    });
  }
});

test('a variant is one of the target that is asked the same', () => {
  const slow = asked('slow', BOTH, { variantOf: 'fast', over: 'fast', variant: 'slowly' });
  const parts = byRequest([asked('fast', BOTH), slow]);
  expect(parts.map(({ name, variantOf, over }) => [name, variantOf, over])).toEqual([
    ['fast-home', null, null],
    ['fast-latest', null, null],
    ['slow-home', 'fast-home', 'fast-home'],
    ['slow-latest', 'fast-latest', 'fast-latest'],
  ]);
});

test('what the other one is not asked is a variant of nothing; one that is not here keeps its name', () => {
  const over = { variantOf: 'one', over: 'gone', variant: 'other' };
  const parts = byRequest([asked('one', ['/home']), asked('two', BOTH, over)]);
  expect(parts.map(({ name, variantOf, over }) => [name, variantOf, over])).toEqual([
    ['one', null, null],
    ['two-home', 'one', 'gone'],
    ['two-latest', null, 'gone'],
  ]);
});

test('a target with one request, or several of one path and method, is as it was', () => {
  const targets = [asked('one', ['/']), asked('mix', ['/bid', '/bid', '/bid'])];
  expect(byRequest(targets)).toEqual(targets);
});

test('requests of one path are told apart by their methods', () => {
  const target = asked('posts', ['/posts', '/posts/']);
  const [first, second] = target.requests;
  if (first === undefined || second === undefined) throw new Error('two requests');
  const post = { ...first, request: { ...first.request, method: 'POST' as const } };
  const parts = byRequest([{ ...target, requests: [first, post, second] }]);
  expect(new Set(parts.map(({ name }) => name)).size).toBeGreaterThan(1);
  expect(parts.map(({ name }) => name)).toContain('posts-post-posts');
});
