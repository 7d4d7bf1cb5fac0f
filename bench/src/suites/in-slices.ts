import { roundsOf } from '../plan/loads.ts';
import { PLAIN_KIND } from '../request/run-options.ts';
import type { Suite } from './suite.ts';

/** What kinds of run share that measure in slices and need no pilot. */
export const IN_SLICES = {
  workload: null,
  ...PLAIN_KIND,
  pilot: () => null,
  rounds: roundsOf,
  groupOrder: () => 'drawn',
} satisfies Partial<Suite>;

/** How targets side by side are planned: in slices, or each cell unbroken, in order, the usual way. */
export const COMPARING = {
  ...IN_SLICES,
  groupOrder: ({ contiguous }) => (contiguous ? 'listed' : 'drawn'),
} satisfies Partial<Suite>;
