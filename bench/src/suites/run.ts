import type { PilotResult } from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { learntLoad } from '../plan/pace.ts';
import { learntSection } from '../report/sections/learnt.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { built, COMPARING, NAMED_LOAD, usually } from './common.ts';
import { comparingSections } from './sections.ts';
import type { Suite } from './suite.ts';

/** Servers that the command line names, under a load that they can take. */
export function runOf(targets: LocalTarget[], known: PilotResult): Suite {
  return {
    ...COMPARING,
    known,
    name: 'run',
    defaults: usually(
      {
        topologies: ['single'],
        ...NAMED_LOAD,
        durationS: 24,
        sliceS: 0.6,
        launches: 5,
        warmupS: 3,
      },
      { durationS: 4.8, launches: 4, warmupS: 1.2 },
    ),
    loads: (inputs) => loads(inputs, targets),
    subjects: () => built(targets),
    show(summary, options) {
      const sections = comparingSections(summary, options);
      return sections.toSpliced(1, 0, learntSection(summary.record));
    },
  };
}

/** Before the servers have been asked; by then they have been built. */
export const NOBODY_YET = runOf([], { kind: 'none' });

function loads(
  { options, pilot, topologies }: LoadInputs,
  targets: readonly LocalTarget[],
): LoadAssignment[] {
  if (pilot.kind !== 'learnt') throw new Error('the load of a run needs what its servers told');
  // CPU time is the headline where it is known of all.
  const isKnown = targets.every(({ external }) => external === null || external.pids.length > 0);
  const load = learntLoad(pilot, options, isKnown ? 'cpu' : 'throughput');
  return [{ load: { ...load, id: 'load', label: 'under load' }, on: topologies }];
}
