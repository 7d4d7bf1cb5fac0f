import type { Part } from '../../figures/where.ts';
import type { LocalTarget } from '../../targets/targets.ts';
import { argumentsOf, type Known, NODE, truthTarget, WORKING } from './targets.ts';

/** Work that is done for a request, and the part that its time is to be charged to. */
export interface KnownPart extends Known {
  part: Part;
  /** Which of the server's own clocks measures it. */
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

/** The server that they are compared with. */
export const BASE_NAME = 'nothing-more';

/**
 * Objects that live for a while are made in the young generation, from which they have to be moved, in every launch
 * alike; and old ones are marked at once, since the steps of incremental marking are missing in the list of
 * collections, and so in the server's own clock.
 */
const COLLECTING = ['--no-allocation-site-pretenuring', '--no-incremental-marking'];
/** An option of these servers alone: in compiled code it can't be seen which function calls which. */
const NOT_COMPILED = '0';

/** Servers of which it is known where their time goes, over one that does nothing more. */
export function whereTargets(turnsPerUs: number): LocalTarget[] {
  const start = (known: Pick<Known, 'work' | 'amount'>): LocalTarget['start'] => {
    const own = argumentsOf(known, turnsPerUs);
    return ['node', ...NODE, ...COLLECTING, WORKING, ...own, NOT_COMPILED];
  };
  const base = { name: BASE_NAME, label: 'nothing more' };
  return [
    truthTarget(base, start({ work: 'spin', amount: 0 })),
    ...KNOWN_PARTS.map((each) => truthTarget(each, start(each), { over: BASE_NAME })),
  ];
}
