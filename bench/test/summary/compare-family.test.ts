import { expect, test } from 'vitest';
import { type Figure, PEAK } from '../../src/figures/figures.ts';
import { compareFamily } from '../../src/summary/compare-family.ts';
import { cellIn } from '../../src/summary/summary.ts';
import { type Happened, makeRecord } from '../support/make-record.ts';
import { conditionUnder } from '../support/summaries.ts';

/** What happens to a server in a launch; null if nothing was measured. */
type InLaunch = (launch: number) => Happened | null;

/** `middle` and the floor under the cost load, twice as expensive, where this happens to it and to the floor. */
function compared({ own, base }: { own?: InLaunch; base?: InLaunch } = {}, launches = 3) {
  const options = { launches, durationS: 3 * launches };
  const record = makeRecord({ options }, ({ target }, launch) => {
    const cpuUsPerResponse = (target === 'floor' ? 10 : 20) * (1 + launch / 1000);
    const happens = { floor: base, middle: own }[target] ?? (() => ({}));
    const more = happens(launch);
    return more && { ok: target === 'floor' ? 2000 : 1000, cpuUsPerResponse, ...more };
  });
  const condition = conditionUnder(record, 'cost');
  const [floor, middle] = record.targets.map((target) => cellIn(condition, target));
  if (middle === undefined || floor === undefined) throw new Error('both were measured');
  return { ...middle, base: floor };
}

test('two that had settled in too few of the same launches are compared in all, without a verdict', () => {
  const settledIn = (...launches: number[]): InLaunch => {
    return (launch) => ({ hasSettled: launches.includes(launch), peakBytes: 8e7 + launch * 1e5 });
  };
  const found = (base: InLaunch, figure?: Figure) => {
    const pair = compared({ own: settledIn(0, 1, 2, 3), base }, 5);
    const [row] = compareFamily([pair], figure);
    const { sides, verdict, isKnown, flags = [] } = row?.comparison ?? {};
    return [sides?.own.length, verdict, isKnown, ...flags.map(({ code }) => code)];
  };
  expect(found(settledIn(1, 2, 3, 4))).toEqual([4, 'slower', true]);
  expect(found(settledIn(2, 3, 4))).toEqual([5, "can't tell", false, 'UNSETTLED']);
  // Which does not spoil memory.
  expect(found(settledIn(2, 3, 4), PEAK)).toEqual([5, 'same', true]);
});

test('nothing is compared with what shares no launch with it, with itself, or with nothing', () => {
  const only =
    (wanted: number): InLaunch =>
    (launch) =>
      launch === wanted ? {} : null;
  const pair = compared({ own: only(0), base: only(1) });
  const pairs = [pair, { ...pair, base: pair }, { ...pair, base: null }];
  expect(compareFamily(pairs).map(({ comparison }) => comparison)).toEqual([null, null, null]);
});
