import { closedLoad, type Load, type OpenLoad, openLoad, timingOf } from '../plan/loads.ts';
import type { LoadInputs } from '../plan/make-plan.ts';
import { choiceSection } from '../report/sections/choice.ts';
import { overheadSection, variantSection } from '../report/sections/overhead.ts';
import { rateSections } from '../report/sections/rate.ts';
import { runtimeSection } from '../report/sections/runtimes.ts';
import { ALL_TOPOLOGIES } from '../request/amounts.ts';
import { summarizeChoice } from '../summary/choice.ts';
import { summarizeVariants } from '../summary/comparisons.ts';
import { summarizeRates } from '../summary/rates.ts';
import { summarizeRuntimes } from '../summary/runtimes.ts';
import { IN_SLICES, ofSuite, usually } from './common.ts';
import { detailSections, sectionOf } from './sections.ts';
import type { Suite } from './suite.ts';

/** The most requests under way, and no pipelining. */
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
const CAPACITY = { connections: 100, pipelining: 1 };

/** Latency, CPU and memory at rates that the user names, of targets of this suite. */
export function ratesOf(suite: string): Suite {
  return ratesOn((asked) => ofSuite(suite, asked));
}

/** The same, of these. */
export function ratesOn(subjects: Suite['subjects']): Suite {
  return {
    ...IN_SLICES,
    name: 'rates',
    defaults: (given) => (given.rate?.length === 1 ? AT_ONE : AT_SEVERAL)(given),
    meaningless: () => ({ pm2Tax: 'beside --rate' }),
    pilot: ({ rates }) =>
      rates?.some(({ kind }) => kind === 'share') ? { load: capacity() } : null,
    loads: (inputs) => openLoads(inputs).map((load) => ({ load, on: inputs.topologies })),
    subjects,
    show({ record, conditions }, { details }) {
      const rates = summarizeRates(record, conditions);
      return [
        ...(rates ? rateSections(rates) : []),
        ...sectionOf(rates?.overheads, overheadSection),
        ...sectionOf(summarizeVariants(record, conditions), variantSection),
        ...sectionOf(summarizeRuntimes(record, conditions), runtimeSection),
        ...sectionOf(rates && summarizeChoice(record, rates), choiceSection),
        ...detailSections(conditions, details),
      ];
    },
  };
}

function capacity(): Load {
  return closedLoad({ id: 'capacity', label: 'at their limit', ...CAPACITY, waitForAll: true });
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
    .map((ratePerS) => openLoad({ ...options, ratePerS }, timingOf(options)));
}
