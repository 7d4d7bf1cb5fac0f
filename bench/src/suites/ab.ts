import { type PilotResult, rateLoad, roundsOf, SINGLE_REQUEST_SHARE } from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { loadByProbes, type MostUnderWay } from '../plan/named-load.ts';
import { abSections } from '../report/sections/ab.ts';
import { responsesSection } from '../report/sections/responses.ts';
import { summarizeAb, wantsAnotherForAb } from '../summary/ab.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { conditionSections, detailSections } from './sections.ts';
import { built, IN_SLICES, SINGLE_COST, type Suite, usually } from './suite.ts';

/**
 * Less than elsewhere, so that turns are short. With half as many requests under way while they warm up, one in
 * four Fastify processes becomes a fifth faster than the others, and stays so under any load; with so many, one in forty.
 */
export const MOST_UNDER_WAY: MostUnderWay = { connections: 400, pipelining: 1, waitingNs: 1e8 };
/** Turns close in time: what else runs on the machine for tenths of a second then disturbs all sides alike, ns. */
const TURN_NS = 2e7;
/** The length of the slice at a rate, ns; it stands beside the verdict, so most launches do without it. */
const RATE_SLICE_NS = 1e9;
const RATE_LAUNCHES = 3;

/** Two or more sides: each beside the first, which runs twice. */
export function abOf(targets: LocalTarget[], known: PilotResult): Suite {
  return {
    ...IN_SLICES,
    known,
    name: 'ab',
    // As many launches as it takes. Results differ more within a launch than between launches, and a launch takes some
    // 13 s besides its slices: with slices three times as long, the same interval takes two thirds of the time.
    defaults: usually(
      { ...SINGLE_COST, durationS: 3.6, sliceS: 1.2, launches: 1, warmupS: 3, maxTimeS: 600 },
      { durationS: 1.8, warmupS: 1.2, maxTimeS: 60 },
    ),
    standalone: ['maxTime'],
    loads,
    wantsAnother: wantsAnotherForAb,
    subjects: () => built(targets),
    show(summary, { details }) {
      const { record, conditions } = summary;
      return [
        ...abSections(summarizeAb(summary)),
        ...(details ? [responsesSection(record), ...conditionSections(conditions, details)] : []),
        ...detailSections(conditions, details),
      ];
    },
  };
}

export const NO_SIDES_YET = abOf([], { kind: 'none' });

/** A load that keeps servers busy, for CPU time, and a rate that does not, for latency. */
function loads({ options, pilot, topologies }: LoadInputs): LoadAssignment[] {
  if (pilot.kind !== 'learnt') throw new Error('the loads of sides need a probe of their servers');
  const busy = loadByProbes(pilot, options, 'cpu', TURN_NS);
  const ratePerS = Number(((SINGLE_REQUEST_SHARE * 1e9) / pilot.cpuNs).toPrecision(1));
  const atRate = {
    ...rateLoad(options, ratePerS),
    sliceNs: RATE_SLICE_NS,
    everyNthRound: roundsOf(options),
    everyNthLaunch: RATE_LAUNCHES,
  };
  return [
    { load: { ...busy, id: 'load', label: 'under load' }, on: topologies },
    { load: atRate, on: topologies },
  ];
}
