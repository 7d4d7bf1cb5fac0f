import { COST, closedLoad, costLoad, isSameConcurrency, lowLoad, timingOf } from '../plan/loads.ts';
import type { LoadAssignment } from '../plan/make-plan.ts';
import { isPlain } from '../plan/topology.ts';
import { claimSections } from '../report/sections/claims.ts';
import { notMeasuredSection } from '../report/sections/environment.ts';
import { ALL_TOPOLOGIES } from '../request/amounts.ts';
import type { RunOptions } from '../request/run-options.ts';
import { summarizeClaims } from '../summary/claims.ts';
import { readPublished } from '../summary/published.ts';
import { CANNED_RESPONSE } from '../targets/canned-response.ts';
import { comparingSections } from './sections.ts';
import { COMPARING, ofSuite, SINGLE_COST, type Suite, usually } from './suite.ts';

const PUBLISHED = { connections: 1000, pipelining: 1 };

/** What each framework costs, and how many requests each answers, in every topology. */
export const frameworks: Suite = {
  ...COMPARING,
  name: 'frameworks',
  defaults: usually(
    // Each cell takes the 30 s of the published runs.
    { topologies: ALL_TOPOLOGIES, ...PUBLISHED, durationS: 30, sliceS: 5, launches: 6, warmupS: 3 },
    // Only one question: what a request costs each server as a single process.
    { ...SINGLE_COST, durationS: 4.8, sliceS: 0.6, launches: 4, warmupS: 2 },
    { topologies: ['single'], warmupS: 0 },
  ),
  loads({ options, topologies }): LoadAssignment[] {
    const main = { load: mainLoad(options), on: topologies };
    const cost = costLoad(options);
    if (options.contiguous) return [main];
    if (isSameConcurrency(options, COST)) return [{ load: cost, on: topologies }];
    // Cost is measured where nothing is between server and client.
    const plain = topologies.filter(isPlain);
    if (plain.length === 0) return [main];
    // A generator that shares the server's cores has to sleep, and can't keep to a low rate.
    const alone = plain.filter(({ cores }) => cores !== null);
    return [main, { load: cost, on: plain }, { load: lowLoad(options), on: alone }];
  },
  subjects: (asked) => ({
    ...ofSuite('frameworks', asked),
    // Where requests/s are measured in slices, a canned answer shows what the generator could have done.
    probes:
      asked.options.contiguous || isSameConcurrency(asked.options, COST) ? [] : [CANNED_RESPONSE],
  }),
  show(summary, options) {
    const claims = summarizeClaims(summary, readPublished('frameworks'));
    return [
      ...comparingSections(summary, options),
      ...claimSections(claims, { isShort: !options.details }),
      ...notMeasuredSection(summary.record.plan),
    ];
  },
};

function mainLoad(options: RunOptions) {
  const { connections, pipelining } = options;
  const id = isSameConcurrency(options, PUBLISHED) ? 'published' : 'custom';
  const label = `under the ${id} load`;
  return closedLoad({ id, label, connections, pipelining, ...timingOf(options) });
}
