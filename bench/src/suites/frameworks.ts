import { claimSections } from '../report/sections/claims.ts';
import { unaskedSection } from '../report/sections/unasked.ts';
import { summarizeClaims } from '../summary/claims.ts';
import { readPublished } from '../summary/published.ts';
import { CANNED } from '../targets/canned.ts';
import { COMPARING, ofSuite } from './common.ts';
import { frameworksPlan, isCostAlone } from './frameworks-plan.ts';
import { comparingSections } from './sections.ts';
import type { Suite } from './suite.ts';

/** What each framework costs, and how many requests each answers, in every topology. */
export const frameworks: Suite = {
  ...COMPARING,
  ...frameworksPlan,
  subjects: (asked) => ({
    ...ofSuite('frameworks', asked),
    // A canned answer tells how much room there was, where requests/s are measured in slices.
    probes: asked.options.contiguous || isCostAlone(asked.options) ? [] : [CANNED],
  }),
  show(summary, options) {
    const { record, conditions } = summary;
    const claims = summarizeClaims(record, conditions, readPublished('frameworks'));
    return [
      ...comparingSections(summary, options),
      ...claimSections(claims, { isShort: !options.details }),
      ...unaskedSection(record.plan),
    ];
  },
};
