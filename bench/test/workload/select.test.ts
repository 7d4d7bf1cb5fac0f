import { expect, test } from 'vitest';
import { perLimit } from '../../src/targets/copies.ts';
import type { Selector } from '../../src/workload/declaration.ts';
import { isSelected } from '../../src/workload/loads.ts';
import { boardTargets } from '../support/make-board-record.ts';

const COPIES = perLimit(boardTargets(['elysia', 'fiber', 'fiber-prepared']), [0.5]);

test.each<[Selector, string[]]>([
  [{ names: ['fiber-home'] }, ['fiber-home']],
  [{ variantsOf: ['fiber-latest'] }, ['fiber-prepared-latest']],
  [{ scale: 'threads', variants: false }, ['fiber-home', 'fiber-latest']],
])('%j selects %j, also among copies under a CPU limit', (selector, selected) => {
  const names = COPIES.filter((target) => isSelected(target, selector)).map(({ name }) => name);
  expect(names).toEqual(selected.map((name) => `${name}@cpu-0.5`));
});
