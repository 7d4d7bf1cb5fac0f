import { describe, expect, test } from 'vitest';
import {
  GARBAGE,
  IN_GO,
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

describe('the servers of a truth run', () => {
  const ownWork = ({ start }: LocalTarget) => start.slice(-2);

  test('have names and labels of their own', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
    expect(new Set(ALL.map(({ label }) => label)).size).toBe(ALL.length);
  });

  const isLater = ({ name }: LocalTarget) => LATER.some((each) => name.startsWith(each.name));
  const [inNode = [], inGo = []] = Map.groupBy(
    targets.filter((target) => !isLater(target)),
    ({ start }) => start[0],
  ).values();

  test('in Go are one, and that one with more work', () => {
    const [base, ...known] = inGo;
    expect(base && ownWork(base)).toEqual(['spin', '0']);
    expect(known.map(({ over }) => over)).toEqual(IN_GO.map(() => base?.name));
    expect(known.map(ownWork)).toEqual(
      IN_GO.map(({ work, amount }) => [work, String(work === 'spin' ? amount * TURNS : amount)]),
    );
  });

  test('are one twice, and that one with more work, which is counted from the first twin', () => {
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

  test('do the same work later, each over one that has nothing to do and is the same but for that', () => {
    expect(targets.filter(isLater)).toHaveLength(2 * LATER.length);
    for (const { name, amount } of LATER) {
      const [idle, working] = [idleOf(name), name].map((each) => {
        return targets.find((target) => target.name === each);
      });
      expect(idle?.over).toBe('twin-a');
      expect(working?.over).toBe(idle?.name);
      expect(idle && ownWork(idle)).toEqual([name, '0']);
      expect(working && ownWork(working)).toEqual([name, String(amount * TURNS)]);
      expect(working?.start.slice(0, -1)).toEqual(idle?.start.slice(0, -1));
    }
  });

  test('have a clock, all but the one of known size, which is compared with nothing', () => {
    expect(targets.every(isTimed)).toBe(true);
    expect(probes.map(({ name }) => name)).toEqual([SIZED_NAME]);
    expect(probes.some(isTimed)).toBe(false);
  });
});
