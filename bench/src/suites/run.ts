import type { PilotResult } from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { learntLoad } from '../plan/pace.ts';
import { learntSection } from '../report/sections/learnt.ts';
import { type MeasuredTargets, noTimer } from '../run/measured-targets.ts';
import type { TargetSelection } from '../targets/targets.ts';
import { COMPARING, usually } from './common.ts';
import { comparingSections } from './sections.ts';
import type { Suite } from './suite.ts';

/** Connections and pipelining where the servers can take as many. */
const LOAD = { connections: 100, pipelining: 10 };

/** Servers that the command line names, under a load that they can take. */
export function runOf(subjects: MeasuredTargets & TargetSelection, known: PilotResult): Suite {
  return {
    ...COMPARING,
    known,
    name: 'run',
    defaults: usually(
      { topologies: ['single'], ...LOAD, durationS: 24, sliceS: 0.6, launches: 5, warmupS: 3 },
      { durationS: 4.8, launches: 4, warmupS: 1.2 },
    ),
    loads: (inputs) => loads(inputs, subjects),
    subjects: () => subjects,
    show(summary, options) {
      const sections = comparingSections(summary, options);
      return sections.toSpliced(1, 0, learntSection(summary.record));
    },
  };
}

/** Before the servers have been asked; by then they have been built. */
export const NOBODY_YET = runOf(
  { targets: [], leftOut: [], areBuilt: true, probes: [], readTimer: noTimer },
  { kind: 'none' },
);

function loads(
  { options, pilot, topologies }: LoadInputs,
  { targets }: MeasuredTargets,
): LoadAssignment[] {
  if (pilot.kind !== 'learnt') throw new Error('the load of a run needs what its servers told');
  // CPU time is the headline where it is known of all.
  const isKnown = targets.every(({ external }) => external === null || external.pids.length > 0);
  const load = learntLoad(pilot, options, isKnown ? 'cpu' : 'throughput');
  return [{ load: { ...load, id: 'load', label: 'under load' }, on: topologies }];
}
