import { expect, test } from 'vitest';
import { perLimit } from '../../src/targets/copies.ts';
import type { Selector } from '../../src/workload/declaration.ts';
import { isSelected } from '../../src/workload/loads.ts';
import { boardTargets } from '../support/make-board-record.ts';

const names = (selector: Selector) => {
  return boardTargets(['elysia', 'elysia-published', 'fiber', 'fiber-prepared'])
    .filter((target) => isSelected(target, selector))
    .map(({ name }) => name);
};

test.each<[Selector, string[]]>([
  [{ names: ['fiber-home'] }, ['fiber-home']],
  [{ path: '/home' }, ['elysia-home', 'fiber-home']],
  [{ path: '/home', except: ['fiber-home'] }, ['elysia-home']],
  [{ variants: true }, ['elysia-published-latest', 'fiber-prepared-latest']],
  [{ variantsOf: ['fiber-latest'] }, ['fiber-prepared-latest']],
  [{ scale: 'threads', variants: false }, ['fiber-home', 'fiber-latest']],
  [
    [{ path: '/home', scale: 'reuse-port' }, { names: ['fiber-latest'] }],
    ['elysia-home', 'fiber-latest'],
  ],
  [[{ names: [] }], []],
])('%j selects %j', (selector, selected) => {
  expect(names(selector)).toEqual(selected);
});

test('a copy under a CPU limit is selected as what it is a copy of', () => {
  const copies = perLimit(boardTargets(['fiber', 'fiber-prepared']), [0.5]);
  const selected = (selector: Selector) => {
    return copies.filter((target) => isSelected(target, selector)).map(({ name }) => name);
  };
  expect(selected({ names: ['fiber-home'] })).toEqual(['fiber-home@cpu-0.5']);
  expect(selected({ variantsOf: ['fiber-latest'] })).toEqual(['fiber-prepared-latest@cpu-0.5']);
});

test('no condition selects every target', () => {
  expect(names({})).toHaveLength(6);
});
