import { LONE_SHARE, openLoad, type PilotResult, timingOf } from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { learntLoad } from '../plan/pace.ts';
import { abSections } from '../report/sections/ab.ts';
import { conditionSection } from '../report/sections/condition.ts';
import { learntSection } from '../report/sections/learnt.ts';
import { summarizeAb, wantsAnotherForAb } from '../summary/ab.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { built, IN_SLICES, NAMED_LOAD, usually } from './common.ts';
import { detailSections } from './sections.ts';
import type { Suite } from './suite.ts';

export const AB_MAX_TIME_S = 600;
const QUICK_TIME_S = 60;

/** Less waits at a server than elsewhere, ns, so that turns are short beside what the machine does meanwhile. */
export const WAITING_NS = 4e7;
/** Short turns are near in time: what else runs on the machine for tenths of a second then hits all sides alike, ns. */
const TURN_NS = 2e7;
/** Of the slice at a rate, ns; it stands beside the verdict, so that most launches do without it. */
const RATE_SLICE_NS = 1e9;
const RATE_LAUNCHES = 3;

/** The same thing at two versions, or several: each beside the first, which runs twice. */
export function abOf(targets: LocalTarget[], known: PilotResult): Suite {
  return {
    ...IN_SLICES,
    known,
    name: 'ab',
    // Short launches, since their number decides what can be told.
    defaults: usually(
      {
        topologies: ['single'],
        ...NAMED_LOAD,
        durationS: 1.2,
        sliceS: 0.4,
        launches: 1,
        warmupS: 3,
      },
      { durationS: 0.6, warmupS: 1.2 },
    ),
    maxTimeS: ({ quick }) => (quick ? QUICK_TIME_S : AB_MAX_TIME_S),
    loads,
    wantsAnother: wantsAnotherForAb,
    subjects: () => built(targets),
    show({ record, conditions }, { details }) {
      return [
        ...abSections(summarizeAb(record, conditions), record),
        ...(details ? [learntSection(record)] : []),
        ...(details ? conditions.map((each) => conditionSection(each, { details })) : []),
        ...detailSections(conditions, details),
      ];
    },
  };
}

/** Before anybody has been asked. */
export const NO_SIDES_YET = abOf([], { kind: 'none' });

/** CPU time under a load that keeps servers busy, latency at a rate that does not. */
function loads({ options, pilot, topologies }: LoadInputs): LoadAssignment[] {
  if (pilot.kind !== 'learnt') throw new Error('the loads of sides need what their servers told');
  const busy = learntLoad(pilot, options, 'cpu', TURN_NS);
  const ratePerS = Number(((LONE_SHARE * 1e9) / pilot.cpuNs).toPrecision(1));
  const timing = timingOf(options);
  const atRate = openLoad(
    { ...options, ratePerS },
    { ...timing, sliceNs: RATE_SLICE_NS, everyNthRound: IN_SLICES.rounds(options) },
  );
  return [
    { load: { ...busy, id: 'load', label: 'under load' }, on: topologies },
    { load: { ...atRate, everyNthLaunch: RATE_LAUNCHES }, on: topologies },
  ];
}
