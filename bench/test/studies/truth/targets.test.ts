import { expect, test } from 'vitest';
import {
  COSTS,
  GARBAGE,
  idleOf,
  isTimed,
  LATER,
  SIZED_NAME,
  truthTargets,
} from '../../../src/studies/truth/targets.ts';
import type { LocalTarget } from '../../../src/targets/targets.ts';

const TURNS = 100_000;
const { targets, probes } = truthTargets(TURNS);
const ALL = [...targets, ...probes];

const ownWork = ({ start }: LocalTarget) => start.slice(-2);
const isLater = ({ name }: LocalTarget) => LATER.some((each) => name.startsWith(each.name));
const [inNode = [], inGo = []] = Map.groupBy(
  targets.filter((target) => !isLater(target)),
  ({ start }) => start[0],
).values();

test('the servers of a truth run have names and labels of their own', () => {
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  expect(new Set(ALL.map(({ label }) => label)).size).toBe(ALL.length);
});

test('those in Go are one, and the same with more work', () => {
  const [base, ...known] = inGo;
  const costs = COSTS.at(-1)?.known ?? [];
  expect(base && ownWork(base)).toEqual(['spin', '0']);
  expect(known.map(({ over }) => over)).toEqual(costs.map(() => base?.name));
  expect(known.map(ownWork)).toEqual(
    costs.map(({ work, amount }) => [work, String(work === 'spin' ? amount * TURNS : amount)]),
  );
});

test('those in Node are two twins, and the first twin with more work', () => {
  const [twin, other, ...known] = inNode;
  expect(other?.start).toEqual(twin?.start);
  expect([twin?.over, other?.over]).toEqual([null, null]);
  expect(known.map(({ over }) => over)).toEqual(known.map(() => twin?.name));
  for (const { start } of known) expect(start.slice(0, -2)).toEqual(twin?.start.slice(0, -2));
  expect(twin && ownWork(twin)).toEqual(['spin', '0']);
  expect(known.map(ownWork)).toEqual([
    ['spin', String(TURNS)],
    ['spin', String(3 * TURNS)],
    ['spin', String(10 * TURNS)],
    ...GARBAGE.map(({ work, amount }) => [work, String(amount)]),
  ]);
});

test('there are two for each work at another time, which are the same but for the work', () => {
  expect(targets.filter(isLater)).toHaveLength(2 * LATER.length);
  for (const { name, amount } of LATER) {
    const [idle, working] = [idleOf(name), name].map((each) => {
      return targets.find((target) => target.name === each);
    });
    expect([idle?.over, working?.over]).toEqual(['twin-a', idle?.name]);
    expect(idle && ownWork(idle)).toEqual([name, '0']);
    expect(working && ownWork(working)).toEqual([name, String(amount * TURNS)]);
    expect(working?.start.slice(0, -1)).toEqual(idle?.start.slice(0, -1));
  }
});

test('all have a clock, except the one of known size, which is compared with nothing', () => {
  expect(targets.every(isTimed)).toBe(true);
  expect(probes.map(({ name }) => name)).toEqual([SIZED_NAME]);
  expect(probes.some(isTimed)).toBe(false);
});
