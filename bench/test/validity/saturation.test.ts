import { describe, expect, test } from 'vitest';
import { type Cell, cellOf } from '../../src/plan/plan.ts';
import { CANNED_RESPONSE } from '../../src/targets/canned-response.ts';
import { contextOf } from '../../src/validity/context.ts';
import { flagsOfPair } from '../../src/validity/flags.ts';
import { makeMachine, makeTarget } from '../support/make-record.ts';
import { about, HEALTHY, type Row, recordOf, testFlag } from './cells.ts';

/** Nearly every turn is empty, and yet they take hardly any time. */
const BOUND = { turns: { all: 30_000, empty: 29_900, idleNs: 23322000 } };
const SLEEPING = { turns: { all: 0, empty: 0, idleNs: 0 } };
const CLUSTER = 'floor/2/published';

const inRounds = (...bound: number[]) => {
  return (_launch: number, round: number) => (bound.includes(round) ? BOUND : {});
};
const sleeping = (generatorCpuMs: number, generators: number) => {
  return { generatorCpuMs, generators, ...SLEEPING };
};
const idle = (idleShare: number) => ({ idleShare: about(idleShare) });
const idler = { turns: { all: 60_000, empty: 45_000, idleNs: 35100000 } };

testFlag('GENERATOR_BOUND', [
  ['empty turns of one that never sleeps took next to no time', idle(0.0233), BOUND],
  ['they took a little more', null, idler],
  ['more than half of the slices say so, as a median does', idle(0.0233), inRounds(0, 2)],
  ['fewer do', null, inRounds(0)],
  ['one that sleeps used all of its CPU time', idle(0.02), sleeping(980, 1)],
  ['it did not', null, sleeping(960, 1)],
  ['two that sleep did', idle(0.02), sleeping(1960, 2)],
  ['one of two did', null, sleeping(980, 2)],
]);

const pairFlags = (...bound: string[]) => {
  const record = recordOf(({ target }) => {
    return { ...HEALTHY, ...(bound.includes(target) ? BOUND : {}) };
  });
  const cell = (target: string) => {
    return contextOf(record, cellOf(record.plan, `${target}/single/published`));
  };
  return flagsOfPair(cell('top'), cell('middle'));
};
const [bound, free] = [about(0.0233), about(0.195)];

test.each<[string[], shares: object | null]>([
  [['top'], { idleShare: bound, otherIdleShare: free }],
  [['middle'], { idleShare: free, otherIdleShare: bound }],
  [[], null],
  [['top', 'middle'], null],
])('REGIME where the generator was the limit of %j', (limited, shares) => {
  const flag = { code: 'REGIME', otherTarget: 'middle', ...shares };
  expect(pairFlags(...limited)).toEqual(shares === null ? [] : [flag]);
});

const [canned, other] = [CANNED_RESPONSE, makeTarget('something-else')];
/** One probe has so many times the requests/s of all else under the published load. */
const faster = (times: number, probe = canned) => {
  return (_launch: number, _round: number, { target, load }: Cell) => {
    return { ok: target === probe.name && load === 'published' ? 98_000 * times : 98_000 };
  };
};
const ratio = (times: number) => ({ ratio: about(times, 2) });
const probed = { probes: [canned] };
const rows: Row[] = [
  ['there is no probe', null, {}, {}],
  ['the canned server has hardly more requests/s', ratio(1.19), faster(1.19)],
  ['it has more', null, faster(1.21)],
  ['it has as many under this load', ratio(1), faster(1.21), probed, 'top/single/cost'],
  ['it is another probe', null, faster(1.1, other), { probes: [other] }],
];
testFlag('HEADROOM', rows, probed, 'top/single/published');

describe('UNSATURATED', () => {
  const busy = (busyShare: number, idleShare = 0.195) => {
    return { busyShare: about(busyShare, 3), idleShare: about(idleShare, 3) };
  };
  const own = { machine: makeMachine(), options: { topologies: [2] } };
  const shared = { options: { topologies: [2] } };
  const sharing = { generatorCpuMs: 800, ...SLEEPING };
  const services = { redis: { cpuNs: 5e7, waitNs: 0, bytes: 1e7 } };
  testFlag('UNSATURATED', [
    ['neither server nor generator was busy', busy(0.833), { cpuUsPerResponse: 8.5 }],
    ['requests come alone', null, { cpuUsPerResponse: 8.5 }, {}, 'floor/single/low'],
    ['the server was busy', null, { cpuUsPerResponse: 8.8 }],
    ['its services were', null, { cpuUsPerResponse: 8.5, services }],
    ['the generator was', null, { cpuUsPerResponse: 5, ...BOUND }],
    ['one core of two was', busy(0.49), { cpuUsPerResponse: 10 }, own, CLUSTER],
    ['both were', null, { cpuUsPerResponse: 19 }, own, CLUSTER],
    // 0.98 of 1.2 cores, and 1.08 of them.
    ['it left some', busy(0.817, 0.2), { cpuUsPerResponse: 10, ...sharing }, shared, CLUSTER],
    ['it left none', null, { cpuUsPerResponse: 11, ...sharing }, shared, CLUSTER],
  ]);
});
