import { expect, test } from 'vitest';
import {
  limitsOf,
  perLimit,
  perRequest,
  perRuntime,
  withoutLimit,
  withoutRuntime,
} from '../../src/targets/copies.ts';
import { textExchange } from '../../src/targets/exchange.ts';
import { isSameRuntime, runtimeName } from '../../src/targets/runtime.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeTarget, STACK } from '../support/make-record.ts';
import { BUN, OLD } from '../support/make-runtimes.ts';

const APP = makeTarget('app', { label: 'App' });
const CHANGED = makeTarget('changed', { over: 'middle', variantOf: 'top' });
const namesOf = (targets: LocalTarget[]) => targets.map(({ name }) => name);
const relations = (targets: LocalTarget[]) => {
  return targets.map(({ name, over, variantOf }) => [name, over, variantOf]);
};

test('targets under limits are there once for each pair, with names of their own', () => {
  const pairs = perLimit([APP], [0.25, 1], [64e6, 512e6]);
  expect(namesOf(pairs)).toEqual([
    ...['app@cpu-0.25@memory-64', 'app@cpu-0.25@memory-512'],
    ...['app@cpu-1@memory-64', 'app@cpu-1@memory-512'],
  ]);
  expect(pairs[0]?.label).toBe('App with 0.25 cores and 64 MB');
  expect(perLimit([APP], [1])[0]?.label).toBe('App with 1 core');
  expect(limitsOf(pairs, 'memoryLimit')).toEqual([64e6, 512e6]);
  expect(pairs.map((each) => withoutLimit(each).label)).toEqual(Array(4).fill('App'));
});

test('targets under limits are built on targets under the same limit, and variants of them', () => {
  const elsewhere = makeTarget('lone', { over: 'not of this run' });
  const limited = perLimit([...STACK, CHANGED, elsewhere], [1, 0.5]);
  expect(relations(limited).slice(-3)).toEqual([
    ['changed@cpu-0.5', 'middle@cpu-0.5', 'top@cpu-0.5'],
    ['lone@cpu-1', 'not of this run', null],
    ['lone@cpu-0.5', 'not of this run', null],
  ]);
});

test('targets under limits can be on several runtimes too, and have names without either', () => {
  const all = perRuntime(perLimit([APP], [1.5, 0.5]), [OLD, BUN]);
  expect(namesOf(all)).toEqual([
    ...['app@cpu-1.5@node-22.1.0', 'app@cpu-1.5@bun-1.4.5'],
    ...['app@cpu-0.5@node-22.1.0', 'app@cpu-0.5@bun-1.4.5'],
  ]);
  for (const target of all) {
    expect(withoutLimit(withoutRuntime(target))).toMatchObject({ name: 'app', label: 'App' });
  }
  const [first = APP] = all;
  expect(first).toMatchObject({ label: 'App with 1.5 cores on Node 22.1.0', runtime: OLD });
  expect(withoutRuntime(first).name).toBe('app@cpu-1.5');
  expect(withoutLimit(first).name).toBe('app@node-22.1.0');
  expect(limitsOf(all)).toEqual([0.5, 1.5]);
});

test('targets are related to those on the same runtime, and one that needs none to the first', () => {
  const go = makeTarget('go', { start: ['./server'], over: 'floor' });
  const onGo = makeTarget('on-go', { over: 'go', variantOf: 'floor' });
  expect(relations(perRuntime([makeTarget('floor'), go, onGo], [OLD, BUN]))).toEqual([
    ['floor@node-22.1.0', null, null],
    ['floor@bun-1.4.5', null, null],
    ['go', 'floor@node-22.1.0', null],
    ['on-go@node-22.1.0', 'go', 'floor@node-22.1.0'],
    ['on-go@bun-1.4.5', 'go', 'floor@bun-1.4.5'],
  ]);
});

test('targets stay as they are without limits and runtimes, and if somebody else has started them', () => {
  expect([perLimit(STACK, []), perRuntime(STACK, []), limitsOf(STACK)]).toEqual([STACK, STACK, []]);
  const odd = { ...APP, name: 'app@bun-1.4.5@cpu-1' };
  expect(withoutLimit(withoutRuntime(odd))).toEqual(odd);
  const external = { origin: 'http://127.0.0.1:8080', pids: [] };
  expect(perRuntime([makeTarget('app', { external })], [OLD, BUN])).toMatchObject([
    { name: 'app', runtime: null },
  ]);
});

test('runtimes are named with their versions, and the same if both are', () => {
  expect(runtimeName(BUN)).toBe('Bun 1.4.5');
  expect(runtimeName({ kind: 'node', version: null })).toBe('Node');
  const all = [{ ...BUN }, { ...BUN, version: '1.4.6' }, { ...BUN, kind: 'node' } as const, null];
  expect(all.map((each) => isSameRuntime(BUN, each))).toEqual([true, false, false, false]);
  expect(isSameRuntime(null, null)).toBe(true);
});

function asked(name: string, paths: string[], parts: Partial<LocalTarget> = {}): LocalTarget {
  const requests = paths.map((path) => textExchange(path, { path }));
  return makeTarget(name, { label: name.toUpperCase(), requests, ...parts });
}
const BOTH = ['/home', '/latest'];

test('a target for each request is as the target, with nothing else changed', () => {
  const target = asked('elysia', BOTH, { env: { A: '1' }, directory: '/board/elysia' });
  const [home, latest] = target.requests;
  expect(perRequest([target])).toEqual([
    { ...target, name: 'elysia-home', label: 'ELYSIA /home', requests: [home] },
    { ...target, name: 'elysia-latest', label: 'ELYSIA /latest', requests: [latest] },
  ]);
});

test('a target for each request is a variant of the one with the same request, if there is one', () => {
  const slow = asked('slow', BOTH, { variantOf: 'fast', over: 'fast', variant: 'slowly' });
  expect(relations(perRequest([asked('fast', BOTH), slow])).slice(2)).toEqual([
    ['slow-home', 'fast-home', 'fast-home'],
    ['slow-latest', 'fast-latest', 'fast-latest'],
  ]);
  const two = asked('two', BOTH, { variantOf: 'one', over: 'gone', variant: 'other' });
  expect(relations(perRequest([asked('one', ['/home']), two])).slice(1)).toEqual([
    ['two-home', 'gone', 'one'],
    ['two-latest', 'gone', null],
  ]);
});

test('a target for each request has the method in its name if paths are alike', () => {
  const target = asked('posts', ['/posts', '/posts/', '/all']);
  const [first] = target.requests;
  if (first !== undefined) first.request.method = 'POST';
  const names = namesOf(perRequest([target]));
  expect(names).toEqual(['posts-post-posts', 'posts-get-posts', 'posts-all']);
  // One whose requests all have one path and method stays as it is.
  const alike = [asked('one', ['/']), asked('mix', ['/bid', '/bid', '/bid'])];
  expect(perRequest(alike)).toEqual(alike);
});
