import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { learntLoad } from '../plan/pace.ts';
import { learntSection } from '../report/sections/learnt.ts';
import type { Defaults } from '../request/amounts.ts';
import { type MeasuredTargets, noTimer } from '../run/measured-targets.ts';
import type { TargetSelection } from '../targets/targets.ts';
import { comparingSections } from './comparing.ts';
import { COMPARING } from './in-slices.ts';
import type { Suite } from './suite.ts';

/** Connections and pipelining are what the servers can take. */
const FULL: Defaults = {
  topologies: ['single'],
  connections: 100,
  pipelining: 10,
  durationS: 24,
  sliceS: 0.6,
  launches: 5,
  warmupS: 3,
};
const QUICK: Defaults = { ...FULL, durationS: 4.8, launches: 4, warmupS: 1.2 };

/** Who is measured is known once the servers have been asked; by then they have been built. */
export const NOBODY_YET: MeasuredTargets & TargetSelection = {
  targets: [],
  leftOut: [],
  areBuilt: true,
  probes: [],
  readTimer: noTimer,
};

/** Servers that the command line names, under a load that they can take. */
export function runOf(subjects: MeasuredTargets & TargetSelection): Suite {
  return {
    name: 'run',
    defaults: ({ quick }) => (quick ? QUICK : FULL),
    ...COMPARING,
    loads: (grounds) => loads(grounds, subjects),
    subjects: () => subjects,
    show(summary, options) {
      const [answer, ...rest] = comparingSections(summary, options);
      const opening = answer === undefined ? [] : [answer];
      const sections = [...opening, learntSection(summary.record), ...rest];
      return { sections, isFound: true };
    },
  };
}

function loads(
  { options, basis, topologies }: LoadInputs,
  { targets }: MeasuredTargets,
): LoadAssignment[] {
  if (basis.kind !== 'learnt') throw new Error('the load of a run needs what its servers told');
  // CPU time is the headline where it is known of all.
  const isKnown = targets.every(({ up }) => up === null || up.pids.length > 0);
  const load = learntLoad(basis, options, isKnown ? 'cpu' : 'throughput');
  return [{ load: { ...load, id: 'load', words: 'under load' }, on: topologies }];
}
