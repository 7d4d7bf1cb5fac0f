import { describe, expect, test } from 'vitest';
import { drawBlocks, NO_LEAD_IN } from '../../src/plan/draw.ts';
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
  return stepsOf(plan, group, broken).filter(
    ({ kind }) => kind === 'interleaving' || kind === 'slice',
  );
}

test('the cells of a topology under the cost load are interleaved, once a launch, and then those at a low rate', () => {
  const plan = planOf(['a', 'b', 'c']);
  expect(plan.rounds).toBe(4);
  const steps = measuring(plan);
  const [order = []] = plan.launches[0]?.[0]?.rounds ?? [];
  const [cost, low] = ['cost', 'low'].map((load) => order.filter((id) => id.endsWith(load)));
  expect(steps.slice(0, 2)).toEqual([
    { kind: 'interleaving', cells: cost, round: 0 },
    { kind: 'interleaving', cells: low, round: 0 },
  ]);
  expect(steps.filter(({ kind }) => kind === 'interleaving')).toHaveLength(2);
  const cells = [...(cost ?? []), ...(low ?? [])];
  expect(cells).toHaveLength(6);
  const alone = steps.filter((step) => step.kind === 'slice').map(({ cell }) => cell);
  const planned = (plan.launches[0] ?? []).flatMap(({ rounds }) => rounds.flat());
  expect([...cells, ...alone].toSorted()).toEqual(planned.toSorted());
});

test('a single cell is not interleaved, nor one whose server failed', () => {
  const plan = planOf(['a', 'b']);
  const steps = measuring(plan, new Set(['a/single']));
  expect(steps.filter(({ kind }) => kind === 'interleaving')).toEqual([]);
  expect(steps).toContainEqual({ kind: 'slice', cell: 'b/single/cost', round: 0 });
  expect(steps).not.toContainEqual(expect.objectContaining({ cell: 'a/single/cost' }));
});

test('a cell that is arranged is not interleaved', () => {
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

test('no interleaving has more cells than it may, and each cell is in one', () => {
  const names = Array.from({ length: 45 }, (_, index) => `server-${index}`);
  const interleaved = measuring(planOf(names)).flatMap((step) => {
    return step.kind === 'interleaving' ? [step.cells] : [];
  });
  // Of turns of 50 ms: two halves, as equal as they can be.
  expect(interleaved.map((cells) => cells.length)).toEqual([23, 22, 23, 22]);
  const all = names.flatMap((name) => [`${name}/single/cost`, `${name}/single/low`]);
  expect(interleaved.flat().toSorted()).toEqual(all.toSorted());
});

describe('the turns of an interleaving', () => {
  const plan = planOf(['a', 'b']);
  /** Five turns of 50 ms. */
  const FIVE = { sliceNs: 2.5e8, blocks: 5, saturates: true };
  const drawn = drawBlocks(plan, 0, 0, 8, FIVE);

  test('come in blocks that have every place once', () => {
    const { blocks, leadIn } = drawn;
    expect(blocks).toHaveLength(5);
    // As long as a server may warm up: a second.
    expect(leadIn.blocks).toHaveLength(20);
    for (const block of [...blocks, ...leadIn.blocks]) {
      expect(block.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    }
    expect(new Set([...blocks, ...leadIn.blocks].map(String)).size).toBeGreaterThan(20);
  });

  test('are as the seed, the launch and the round have them', () => {
    expect(drawBlocks(plan, 0, 0, 8, FIVE)).toEqual(drawn);
    for (const other of [
      drawBlocks(plan, 1, 0, 8, FIVE),
      drawBlocks(plan, 0, 1, 8, FIVE),
      drawBlocks({ ...plan, seed: plan.seed + 1 }, 0, 0, 8, FIVE),
    ]) {
      expect(other.blocks).not.toEqual(drawn.blocks);
      expect(other.leadIn.blocks).not.toEqual(drawn.leadIn.blocks);
    }
  });

  test('are led in until each has answered 30,000 requests and is steady for 0.4 s, unless nothing is warmed up', () => {
    expect(drawn.leadIn).toMatchObject({ answers: 30_000, span: 8 });
    const slower = drawBlocks(plan, 0, 0, 8, { ...FIVE, sliceNs: 1e9 });
    expect(slower.leadIn).toMatchObject({ span: 2 });
    expect(slower.leadIn.blocks).toHaveLength(5);
    // At a low rate none ever answers as many: 0.8 s of its turns, if it may have them.
    const idle = drawBlocks(plan, 0, 0, 8, { ...FIVE, saturates: false }).leadIn;
    expect(idle.blocks).toHaveLength(16);
    expect(idle.answers).toBe(0);
    const cold = drawBlocks({ ...plan, warmup: { kind: 'none' } }, 0, 0, 8, FIVE);
    expect(cold).toEqual({ blocks: drawn.blocks, leadIn: NO_LEAD_IN });
  });
});
