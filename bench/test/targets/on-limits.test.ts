import { describe, expect, test } from 'vitest';
import { limitsOf, unlimitedLabel, unlimitedName } from '../../src/targets/limit.ts';
import { onLimits } from '../../src/targets/on-limits.ts';
import { onRuntimes } from '../../src/targets/on-runtimes.ts';
import { plainLabel, plainName } from '../../src/targets/runtime.ts';
import { makeTarget, STACK } from '../support/make-record.ts';
import { BUN, OLD } from '../support/make-runtimes.ts';

describe('targets under CPU limits', () => {
  test('are there once for each, under names of their own', () => {
    const all = onLimits([makeTarget('app', { label: 'App' })], [0.25, 1]);
    expect(all.map(({ name, label, cpuLimit }) => ({ name, label, cpuLimit }))).toEqual([
      { name: 'app@cpu-0.25', label: 'App with 0.25 cores', cpuLimit: 0.25 },
      { name: 'app@cpu-1', label: 'App with 1 core', cpuLimit: 1 },
    ]);
  });

  test('are built on the target under the same limit, and variants of it', () => {
    const variant = makeTarget('changed', { over: 'middle', variantOf: 'top' });
    const elsewhere = makeTarget('lone', { over: 'not of this run' });
    const all = onLimits([...STACK, variant, elsewhere], [0.5]);
    expect(all.map(({ over, variantOf }) => [over, variantOf])).toEqual([
      [null, null],
      ['floor@cpu-0.5', null],
      ['middle@cpu-0.5', null],
      ['middle@cpu-0.5', 'top@cpu-0.5'],
      ['not of this run', null],
    ]);
  });

  test('stay as they are without a limit', () => {
    expect(onLimits(STACK, [])).toBe(STACK);
    expect(limitsOf(STACK)).toEqual([]);
  });

  test('can be on several runtimes too, and tell what they are without either', () => {
    const app = makeTarget('app', { label: 'App' });
    const all = onRuntimes(onLimits([app], [1.5, 0.5]), [OLD, BUN]);
    expect(all.map(({ name }) => name)).toEqual([
      'app@cpu-1.5@node-22.1.0',
      'app@cpu-1.5@bun-1.4.5',
      'app@cpu-0.5@node-22.1.0',
      'app@cpu-0.5@bun-1.4.5',
    ]);
    expect(all.map(plainName)).toEqual([
      'app@cpu-1.5',
      'app@cpu-1.5',
      'app@cpu-0.5',
      'app@cpu-0.5',
    ]);
    expect(all.map(unlimitedName).slice(0, 2)).toEqual(['app@node-22.1.0', 'app@bun-1.4.5']);
    const labels = all.map((target) => unlimitedLabel({ ...target, label: plainLabel(target) }));
    expect(new Set(labels)).toEqual(new Set(['App']));
    expect(limitsOf(all)).toEqual([0.5, 1.5]);
  });
});
