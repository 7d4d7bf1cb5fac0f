import { describe, expect, test } from 'vitest';
import { makePlan } from '../../src/plan/make-plan.ts';
import { cellFor, cellOf, loadOf, planSchema, topologyOf } from '../../src/plan/plan.ts';
import { isPlain } from '../../src/plan/topology.ts';
import { frameworksPlan } from '../../src/suites/frameworks-plan.ts';
import { makeLoad, makeMachine, makeOptions, makeTarget, STACK } from '../support/make-record.ts';

const PLAN = makePlan(frameworksPlan, makeOptions(), STACK, makeMachine(), {
  probing: [makeTarget('canned')],
});

describe('a plan', () => {
  test('is what a record holds', () => {
    expect(planSchema.parse(PLAN)).toEqual(PLAN);
  });

  test('finds cells, topologies and loads by name, and nothing else', () => {
    expect(cellOf(PLAN, 'top/single/cost')).toMatchObject({ target: 'top', load: 'cost' });
    expect(cellOf(PLAN, 'canned/single/cost')).toMatchObject({ target: 'canned' });
    expect(isPlain(topologyOf(PLAN, 'single'))).toBe(true);
    expect(loadOf(PLAN, 'cost').connections).toBe(100);
    expect(() => cellOf(PLAN, 'top/2/cost')).toThrow('the plan has no "top/2/cost"');
    expect(() => topologyOf(PLAN, '2')).toThrow('the plan has no "2"');
    expect(() => loadOf(PLAN, 'custom')).toThrow('the plan has no "custom"');
  });
});

test('a cell is named by its server and load, and by its arrangement where that is another', () => {
  const ref = { server: 'app/2', target: 'app', topology: '2' };
  const cell = { ...ref, load: 'custom' };
  const load = makeLoad();
  expect(cellFor(ref, load)).toEqual({ ...cell, id: 'app/2/custom', arrangement: 'standard' });
  expect(cellFor(ref, load, 'alone')).toEqual({
    ...{ ...cell, id: 'app/2/custom/alone', arrangement: 'alone' },
  });
});
