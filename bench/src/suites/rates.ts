import { closedLoad, type OpenLoad, rateLoad } from '../plan/loads.ts';
import type { LoadInputs } from '../plan/make-plan.ts';
import { choiceSection } from '../report/sections/choice.ts';
import { overheadSection } from '../report/sections/comparisons.ts';
import { rateSections } from '../report/sections/rates.ts';
import { ALL_TOPOLOGIES } from '../request/amounts.ts';
import { summarizeChoice } from '../summary/choice.ts';
import { summarizeRates } from '../summary/rates.ts';
import { copySections, detailSections, sectionOf } from './sections.ts';
import { IN_SLICES, ofSuite, type Suite, usually } from './suite.ts';

/** Connections are the most requests in flight; there is no pipelining. */
const COMMON = { topologies: ALL_TOPOLOGIES, connections: 1000, pipelining: 1 };
const AT_ONE = usually(
  { ...COMMON, durationS: 60, sliceS: 5, launches: 6, warmupS: 3 },
  { durationS: 6, sliceS: 2, launches: 3, warmupS: 1.5 },
);
const AT_SEVERAL = usually(
  { ...COMMON, durationS: 12, sliceS: 1, launches: 4, warmupS: 3 },
  { durationS: 1.5, sliceS: 0.5, launches: 3, warmupS: 1.5 },
);
/** The server at its limit, without pipelining: an open loop has none either. */
const CAPACITY = closedLoad({
  id: 'capacity',
  label: 'at their limit',
  connections: 100,
  waitForAll: true,
});

/** Latency, CPU and memory of the targets of this suite, at rates that the user names. */
export function ratesOf(suite: string): Suite {
  return ratesOn((asked) => ofSuite(suite, asked));
}

export function ratesOn(subjects: Suite['subjects']): Suite {
  return {
    ...IN_SLICES,
    name: 'rates',
    defaults: (given) => (given.rate?.length === 1 ? AT_ONE : AT_SEVERAL)(given),
    pilot: ({ rates }) => (rates?.some(({ kind }) => kind === 'share') ? { load: CAPACITY } : null),
    loads: (inputs) => openLoads(inputs).map((load) => ({ load, on: inputs.topologies })),
    subjects,
    show(summary, { details }) {
      const rates = summarizeRates(summary);
      return [
        ...sectionOf(rates, rateSections),
        ...sectionOf(rates?.overheads, overheadSection),
        ...copySections(summary),
        ...sectionOf(rates && summarizeChoice(rates), choiceSection),
        ...detailSections(summary.conditions, details),
      ];
    },
  };
}

/** A load for each rate that was asked for, from the lowest on. */
function openLoads({ options, pilot }: LoadInputs): OpenLoad[] {
  const perSecond = (options.rates ?? []).map((rate) => {
    if (rate.kind === 'per second') return rate.perS;
    if (pilot.kind !== 'capacity') throw new Error('a share of the capacity needs a capacity');
    return Number((rate.share * pilot.perS).toPrecision(3));
  });
  return [...new Set(perSecond)]
    .toSorted((a, b) => a - b)
    .map((ratePerS) => rateLoad(options, ratePerS));
}
