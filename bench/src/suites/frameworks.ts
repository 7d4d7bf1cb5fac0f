import { COST } from '../plan/loads.ts';
import { claimSections } from '../report/sections/claims.ts';
import { notMeasuredSection } from '../report/sections/environment.ts';
import { summarizeClaims } from '../summary/claims.ts';
import { readPublished } from '../summary/published.ts';
import { CANNED_RESPONSE } from '../targets/canned-response.ts';
import { frameworksPlan } from './frameworks-plan.ts';
import { comparingSections } from './sections.ts';
import { isSameConcurrency, ofSuite, type Suite } from './suite.ts';

/** What each framework costs, and how many requests each answers, in every topology. */
export const frameworks: Suite = {
  ...frameworksPlan,
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
