import { describe, expect, test } from 'vitest';
import { COSTS, isTimed } from '../../src/studies/truth/targets.ts';
import { truth } from '../../src/suites/truth.ts';
import { onPath } from '../../src/system/on-path.ts';
import { makeOptions } from '../support/make-record.ts';
import { placedBy, topologiesOf } from './loads-of.ts';

test('the truth is measured under the cost load, as single processes', () => {
  const placed = placedBy(truth);
  expect(placed).toHaveLength(1);
  expect(topologiesOf('cost', placed)).toEqual(['single']);
});

describe('who is measured', () => {
  const { targets, probes } = truth.subjects({ given: {}, packages: '', options: makeOptions() });

  test('are two twins, what does more, and what does the same later over what has nothing to do, each with a clock', () => {
    // Those in Go are left out where Go is not.
    const isHere = (name: string) => !name.startsWith('go') || onPath('go');
    const known = COSTS.flatMap(({ known: set }) => set).map(({ name }) => name);
    const idle = ['after', 'late', 'batched', 'seldom', 'thread', 'child'].map(
      (name) => `${name}-idle`,
    );
    const names = ['twin-a', 'twin-b', ...known, ...idle, 'go'].filter(isHere);
    expect(targets.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const target of targets) expect(isTimed(target)).toBe(true);
  });

  test('are probed by answers of a known size, without a clock', () => {
    expect(probes.map(({ name }) => name)).toEqual(['sized']);
    expect(probes.some(isTimed)).toBe(false);
  });

  test('spin for as many turns as fit into the time here', () => {
    const turnsOf = (name: string) => {
      return Number(targets.find((target) => target.name === name)?.start.at(-1));
    };
    expect(turnsOf('spin-1')).toBeGreaterThan(0);
    expect(turnsOf('spin-10') / turnsOf('spin-1')).toBeCloseTo(10, 0);
  });
});
