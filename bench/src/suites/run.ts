import type { PilotResult } from '../plan/loads.ts';
import type { LoadInputs } from '../plan/make-plan.ts';
import { loadByProbes } from '../plan/named-load.ts';
import { responsesSection } from '../report/sections/responses.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { comparingSections } from './sections.ts';
import { built, COMPARING, SINGLE_COST, type Suite, usually } from './suite.ts';

/** Measures servers that the command line names, under a load that they can take. */
export function runOf(targets: LocalTarget[], known: PilotResult): Suite {
  return {
    ...COMPARING,
    known,
    name: 'run',
    defaults: usually(
      { ...SINGLE_COST, durationS: 24, sliceS: 0.6, launches: 5, warmupS: 3 },
      { durationS: 4.8, launches: 4, warmupS: 1.2 },
    ),
    loads: (inputs) => loads(inputs, targets),
    subjects: () => built(targets),
    show(summary, options) {
      return comparingSections(summary, options).toSpliced(1, 0, responsesSection(summary.record));
    },
  };
}

export const NO_SERVERS_YET = runOf([], { kind: 'none' });

function loads({ options, pilot, topologies }: LoadInputs, targets: readonly LocalTarget[]) {
  if (pilot.kind !== 'learnt') throw new Error('the load of a run needs a probe of its servers');
  // CPU time is the headline if it is known for all servers.
  const isKnown = targets.every(({ external }) => external === null || external.pids.length > 0);
  const load = loadByProbes(pilot, options, isKnown ? 'cpu' : 'throughput');
  return [{ load: { ...load, id: 'load', label: 'under load' }, on: topologies }];
}
