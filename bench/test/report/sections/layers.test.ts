import { expect, test } from 'vitest';
import type { Verdict } from '../../../src/math/verdicts.ts';
import { layerSections } from '../../../src/report/sections/layers.ts';
import type { RoleCost } from '../../../src/summary/compare-family.ts';
import { interval, makeRecord, makeTarget } from '../../support/make-record.ts';
import { conditionUnder } from '../../support/summaries.ts';
import { rowsOf } from '../look.ts';

const nest = makeTarget('nest', { label: 'Nest' });

function cost(verdict: Verdict, us: number): RoleCost {
  const difference = interval(us * 1000, us * 1000 - 1000, us * 1000 + 1000);
  return {
    name: 'server',
    sides: { own: [], other: [] },
    comparison: { ratio: interval(1, 1, 1), difference, verdict },
  };
}

/** What is shown of Nest's endpoint, which takes 180 µs. */
function rowOf(own: RoleCost | null, swapped: RoleCost | null): unknown[] | undefined {
  const condition = conditionUnder(
    makeRecord({}, () => null),
    'published',
  );
  const cpuNs = interval(180_000, 178_000, 182_000);
  const endpoint = { framework: nest, top: nest, cpuNs, own, swapped, services: [], flags: [] };
  const swap = { variant: 'ajv by hand', own: 'own validator' };
  const frameworks = { frameworks: [nest], rows: [], endpoints: [endpoint] };
  const [, section] = layerSections({ condition, lowest: 'text', swap, ...frameworks });
  return section && rowsOf(section)[0];
}

test('an endpoint is so much the framework, and so much its own validator, each with its verdict', () => {
  expect(rowOf(cost('slower', 8), cost('slower', 12))).toEqual([
    ...['Nest', '180.0 ±2.0', '+8.0 ±1.0', '4.44 %', 'slower', '+12.0 ±1.0', 'slower'],
  ]);
  expect(rowOf(cost("can't tell", 3), cost('faster', -9))).toEqual([
    ...['Nest', '180.0 ±2.0', '+3.0 ±1.0', '1.67 %', "can't tell", '-9.0 ±1.0', 'faster'],
  ]);
});

test('the floor is no framework, and what costs less than the floor is no share of it', () => {
  expect(rowOf(null, null)?.slice(2)).toEqual(['–', '–', '–', '–', '–']);
  expect(rowOf(cost('faster', -9), cost('same', 1))?.slice(3)).toEqual([
    ...['–', 'faster', '+1.0 ±1.0', 'same'],
  ]);
});
