import { expect, test } from 'vitest';
import { type Figure, PEAK } from '../../src/figures/figures.ts';
import type { Estimate } from '../../src/math/statistics.ts';
import type { Verdict } from '../../src/math/verdicts.ts';
import type { Section } from '../../src/report/document.ts';
import { answerSection } from '../../src/report/sections/answer.ts';
import {
  overheadSection,
  runtimeSection,
  topologySection,
} from '../../src/report/sections/comparisons.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { pm2Tax } from '../../src/suites/pm2-tax.ts';
import { compareFamily } from '../../src/summary/compare-family.ts';
import { runtimesOf, summarizeRuntimes, summarizeVariants } from '../../src/summary/comparisons.ts';
import { cellIn } from '../../src/summary/summary.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { rowsOf, shown } from '../report/look.ts';
import {
  type Happened,
  interval,
  makeMachine,
  makeRecord,
  makeTarget,
  type NamedRules,
  type Recorded,
  STACK,
} from '../support/make-record.ts';
import { BUN, NEW, OLD } from '../support/make-runtimes.ts';
import { conditionUnder, present, summariesOf, summaryOf } from '../support/summaries.ts';

const topologiesOf = (parts: Recorded) => {
  return summariesOf(makeRecord(parts, () => ({ ok: 100 }))).topologies;
};

test('topologies have no speed-up without a single process', () => {
  const [found] = topologiesOf({ options: { topologies: [2, 4] } })?.targets ?? [];
  const all = found?.rows.map(({ comparison, state }) => [comparison, state]);
  expect(all).toEqual(Array(2).fill([null, 'measured']));
});

test('topologies are not compared if there is only one, under whatever names, or one in which a target runs', () => {
  expect(topologiesOf({ options: { topologies: ['single'] } })).toBeNull();
  const machine = makeMachine({ parallelism: 2 });
  expect(topologiesOf({ options: { topologies: ['max', 2] }, machine })).toBeNull();
  const targets = perRuntime(STACK, [BUN]);
  expect(topologiesOf({ options: { topologies: ['single', 2] }, targets })).toBeNull();
});

const taxesOf = (asked: Partial<RunOptions>, suite: NamedRules = pm2Tax) => {
  const options = { connections: 100, pipelining: 10, ...asked };
  const record = makeRecord({ suite, targets: [makeTarget('app')], options }, ({ topology }) => {
    return { ok: 1000, cpuUsPerResponse: topology === 'pmx:1' ? 11 : 10 };
  });
  return summariesOf(record).taxes;
};

test('the price of a process manager has plain node as its base wherever that is named', () => {
  const [tax] = taxesOf({ topologies: ['pmx:1', 'single', 'fork'] }) ?? [];
  const found = tax?.rows.map(({ topology, comparison }) => [topology.id, comparison?.verdict]);
  expect(found).toEqual([
    ['pmx:1', 'slower'],
    ['single', undefined],
    ['fork', 'same'],
  ]);
  expect(taxesOf({ topologies: ['fork', 1] })).toBeNull();
});

test('the price of a process manager is read under the cost load, whatever else is measured', () => {
  const taxes = taxesOf({ connections: 50 }, frameworks) ?? [];
  const loads = taxes.flatMap(({ rows }) => rows.map(({ cell }) => cell.load));
  expect(loads).toEqual(['cost']);
});

const measured = (targets: LocalTarget[]) => makeRecord({ targets }, () => ({ ok: 1000 }));

test.each([
  [perRuntime(STACK, [BUN]), ['bun']],
  [STACK, []],
])('runtimes are not compared if there are not several', (targets, kinds) => {
  const record = measured(targets);
  expect(summarizeRuntimes(summaryOf(record))).toBeNull();
  expect(runtimesOf(record).map(({ kind }) => kind)).toEqual(kinds);
});

test('variants that are also built on what they are variants of are shown once, as overheads', () => {
  const standing = makeTarget('changed', { over: 'top', variantOf: 'top' });
  const record = measured([...STACK, standing]);
  expect(summarizeVariants(summaryOf(record))).toBeNull();
  expect(summariesOf(record).overheads?.rows).toHaveLength(3);
});

test('where no step costs more than what it is built on, this is said', () => {
  const record = makeRecord({}, ({ target }) => {
    return { ok: 1000, cpuUsPerResponse: target === 'floor' ? 30 : 20 };
  });
  const { overheads } = summariesOf(record);
  expect(shown(overheadSection(present(overheads, 'overhead')))).toContain(
    '\nNo step here costs more CPU than what it is built on.',
  );
});

/** Of the floor, what stands on it, and what stands on that, with such costs in µs, launch by launch. */
function answerOf(costs: Record<string, number[]>): Section {
  const launches = Math.max(...Object.values(costs).map(({ length }) => length));
  const record = makeRecord({ options: { launches } }, ({ target }, launch) => {
    const cpuUsPerResponse = costs[target]?.[launch];
    return cpuUsPerResponse === undefined ? null : { ok: 1000, cpuUsPerResponse };
  });
  return answerSection(present(summariesOf(record).overheads, 'overhead'), null);
}

/** Such a cost in five launches, in each a thousandth dearer than in the one before. */
const rising = (us: number) => [0, 1, 2, 3, 4].map((launch) => us * (1 + launch / 1000));

test('the answer adds what was added in the launches that both have to a base that is of more', () => {
  const costs = { floor: [10, 10, 10, 10, 20], middle: [12, 12, 12, 12], top: rising(30) };
  const [, middle, top] = rowsOf(answerOf(costs));
  expect(middle?.slice(1, 4)).toEqual(['14.00 ±0.00', 'floor', '+2.00 ±0.00']);
  expect(top?.slice(1, 3)).toEqual(['32.05 ±0.06', 'middle']);
  expect(top?.[3]).toMatch(/^\+18\.05 /);
});

test('the answer warns of steps that may cost nothing', () => {
  const ladder = { floor: rising(10), middle: rising(12), top: rising(30) };
  const warning = 'A step whose interval includes 0 may cost nothing.';
  expect(shown(answerOf({ ...ladder, middle: rising(10) }))).toContain(warning);
  expect(shown(answerOf(ladder))).not.toContain(warning);
});

type SpeedUp = [ratio: Estimate, verdict: Verdict] | null;
const FASTER: SpeedUp = [interval(1.5, 1.4, 1.6), 'faster'];
const UNSURE: SpeedUp = [interval(1.8, 0.7, 4), "can't tell"];
const NO_GAIN = 'No cluster is shown to be faster; the best is top (2): 0.80 [0.70, 0.90] times.';

test.each<[string, SpeedUp, SpeedUp]>([
  ['floor (2) gains the most: 1.50 [1.40, 1.60] times the requests/s.', FASTER, UNSURE],
  [NO_GAIN, [interval(0.5, 0.4, 0.6), 'slower'], [interval(0.8, 0.7, 0.9), 'same']],
  ['There is no single process to compare the clusters with.', null, null],
])('below topologies it says "%s"', (text, ofFloor, ofTop) => {
  const parts = { targets: ['floor', 'top'].map((name) => makeTarget(name)) };
  const record = makeRecord({ ...parts, options: { topologies: ['single', 2] } }, () => ({}));
  const table = present(summariesOf(record).topologies, 'topology');
  const targets = table.targets.map(({ target, rows }) => {
    const own = target.name === 'floor' ? ofFloor : ofTop;
    const speedUp = own && { ratio: own[0], verdict: own[1] };
    const given = rows.map(({ comparison, ...row }) => {
      return { ...row, comparison: comparison && speedUp && { ...comparison, ...speedUp } };
    });
    return { target, rows: given };
  });
  const section = topologySection({ ...table, targets });
  expect(shown(section).split('\n').at(-1)).toBe(text);
});

test('where only the first runtime was measured, there is nothing to compare', () => {
  const targets = perRuntime([makeTarget('app')], [NEW, OLD]);
  const record = makeRecord({ targets }, ({ target }) => {
    return target === 'app@node-24.1.0' ? { ok: 1000 } : null;
  });
  const table = summarizeRuntimes(summaryOf(record));
  const text = shown(runtimeSection(present(table, 'runtime')));
  expect(text).toContain('There is nothing to compare with Node 24.1.0.');
  expect(text).not.toContain('Process managers');
});

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
  const pair = compared({
    own: (launch) => (launch === 0 ? {} : null),
    base: (launch) => (launch === 1 ? {} : null),
  });
  const pairs = [pair, { ...pair, base: pair }, { ...pair, base: null }];
  expect(compareFamily(pairs).map(({ comparison }) => comparison)).toEqual([null, null, null]);
});
