import { expect, test } from 'vitest';
import { drawBlocks } from '../../src/plan/draw.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { cellFor, type Plan } from '../../src/plan/plan.ts';
import { type Step, stepsOf } from '../../src/run/steps.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { makeMachine, makeOptions, makeTarget } from '../support/make-record.ts';

const NONE = new Set<string>();
const OPTIONS = makeOptions({
  durationS: 4,
  sliceS: 1,
  launches: 1,
  topologies: ['single', 'max'],
});

function planOf(names: string[]): Plan {
  return makePlan(
    frameworks,
    OPTIONS,
    names.map((name) => makeTarget(name)),
    makeMachine(),
  );
}

/** What is measured in the first launch. */
function measuring(plan: Plan, broken = NONE): Step[] {
  const [group] = plan.launches[0] ?? [];
  if (group === undefined) throw new Error('a plan without a group');
  return stepsOf(plan, group, broken).filter(({ kind }) => kind === 'interleaving' || kind === 'slice');
}

test('the cells of a topology under the cost load are dealt together, round by round', () => {
  const plan = planOf(['a', 'b', 'c']);
  const steps = measuring(plan);
  const dealt = steps.filter((step) => step.kind === 'interleaving');
  expect(dealt.length).toBe(plan.rounds);
  for (const { cells, round } of dealt) {
    const order = plan.launches[0]?.[0]?.rounds[round] ?? [];
    expect(cells).toEqual(order.filter((id) => id.endsWith('/single/cost')));
    expect(cells.length).toBe(3);
  }
  const alone = steps.filter((step) => step.kind === 'slice').map(({ cell }) => cell);
  expect(alone.some((cell) => cell.endsWith('/cost'))).toBe(false);
  const planned = (plan.launches[0] ?? []).flatMap(({ rounds }) => rounds.flat());
  expect([...dealt.flatMap(({ cells }) => cells), ...alone].toSorted()).toEqual(planned.toSorted());
});

test('a single cell is not dealt, nor one whose server failed', () => {
  const plan = planOf(['a', 'b']);
  const steps = measuring(plan, new Set(['a/single']));
  expect(steps.filter(({ kind }) => kind === 'interleaving')).toEqual([]);
  expect(steps).toContainEqual({ kind: 'slice', cell: 'b/single/cost', round: 0 });
  expect(steps).not.toContainEqual(expect.objectContaining({ cell: 'a/single/cost' }));
});

test('a cell that is arranged is not dealt', () => {
  const plan = planOf(['a', 'b']);
  const [cost] = plan.loads.filter(({ id }) => id === 'cost');
  const own = plan.cells.find(({ id }) => id === 'a/single/cost');
  if (cost === undefined || own === undefined) throw new Error('a plan without a cost load');
  const sampled = cellFor(own, cost, 'sampled');
  const group = {
    cells: [sampled.id, own.id],
    idle: [],
    unverified: [],
    rounds: [[sampled.id, own.id]],
  };
  const steps = stepsOf({ ...plan, cells: [...plan.cells, sampled] }, group, NONE);
  expect(steps.filter(({ kind }) => kind === 'interleaving')).toEqual([]);
});

test('no deal has more cells than it may, and each cell is in one', () => {
  const names = Array.from({ length: 45 }, (_, index) => `server-${index}`);
  const plan = planOf(names);
  const first = measuring(plan).filter((step) => step.kind === 'interleaving' && step.round === 0);
  const sizes = first.map((step) => (step.kind === 'interleaving' ? step.cells.length : 0));
  expect(sizes).toEqual([15, 15, 15]);
});

test('every lap has every place once, as the seed, the launch and the round have it', () => {
  const plan = planOf(['a', 'b']);
  const laps = drawBlocks(plan, 0, 0, 8, 5);
  expect(laps.length).toBe(5);
  for (const lap of laps) expect(lap.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(drawBlocks(plan, 0, 0, 8, 5)).toEqual(laps);
  const others = [
    drawBlocks(plan, 1, 0, 8, 5),
    drawBlocks(plan, 0, 1, 8, 5),
    drawBlocks({ ...plan, seed: plan.seed + 1 }, 0, 0, 8, 5),
  ];
  for (const other of others) expect(other).not.toEqual(laps);
});
