import type { Part } from '../../figures/where.ts';
import type { LocalTarget } from '../../targets/targets.ts';
import { doing, type Known, NODE, truthTarget, WORKING } from './targets.ts';

/** Something that is done for a request, and whom its time is to be charged to. */
export interface KnownPart extends Known {
  part: Part;
  /** Which of the server's own clocks knows it. */
  clock: 'handler' | 'collector';
}

/** Two or three µs each, in code of three owners. */
export const KNOWN_PARTS: readonly KnownPart[] = [
  {
    ...{ name: 'in-package', label: 'in a package', work: 'churn', amount: 1500, clock: 'handler' },
    part: { kind: 'package', name: 'known-work', version: '1.0.0' },
  },
  {
    ...{ name: 'in-native', label: 'in native code', work: 'native', amount: 12_000 },
    ...{ clock: 'handler', part: { kind: 'native' } },
  },
  {
    ...{ name: 'in-collector', label: 'in the collector', work: 'survivors', amount: 60 },
    ...{ clock: 'collector', part: { kind: 'collector' } },
  },
];

/** The server that they are held against. */
export const BASE_NAME = 'nothing-more';

/**
 * What lives for a while is made in the young generation, from where it has to be moved, in every launch alike;
 * and what is old is marked in one go: the steps of incremental marking are in no list of collections, and so
 * unknown to the server's own clock.
 */
const COLLECTING = ['--no-allocation-site-pretenuring', '--no-incremental-marking'];
/** What no server of anybody's does: who calls whom is not to be seen once it is compiled. */
const NOT_COMPILED = '0';

/** Servers of which it is known whom their time goes to, over one that does nothing more. */
export function whereTargets(turnsPerUs: number): LocalTarget[] {
  const working = (known: Pick<Known, 'work' | 'amount'>): LocalTarget['start'] => {
    return ['node', ...NODE, ...COLLECTING, WORKING, ...doing(known, turnsPerUs), NOT_COMPILED];
  };
  const base = { name: BASE_NAME, label: 'nothing more' };
  return [
    truthTarget(base, working({ work: 'spin', amount: 0 })),
    ...KNOWN_PARTS.map((each) => truthTarget(each, working(each), { over: BASE_NAME })),
  ];
}
