import { expect, test } from 'vitest';
import { perLimit } from '../../src/targets/copies.ts';
import type { Selector } from '../../src/workload/declaration.ts';
import { isSelected } from '../../src/workload/loads.ts';
import { boardTargets } from '../support/make-board-record.ts';

const ALL = boardTargets(['elysia', 'elysia-published', 'fiber', 'fiber-prepared']);
const names = (selector: Selector, targets = ALL) => {
  return targets.filter((target) => isSelected(target, selector)).map(({ name }) => name);
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
  [{}, ALL.map(({ name }) => name)],
])('%j selects %j', (selector, selected) => {
  expect(names(selector)).toEqual(selected);
});

test('a copy under a CPU limit is selected as what it is a copy of', () => {
  const copies = perLimit(boardTargets(['fiber', 'fiber-prepared']), [0.5]);
  expect(names({ names: ['fiber-home'] }, copies)).toEqual(['fiber-home@cpu-0.5']);
  const variants = names({ variantsOf: ['fiber-latest'] }, copies);
  expect(variants).toEqual(['fiber-prepared-latest@cpu-0.5']);
});
