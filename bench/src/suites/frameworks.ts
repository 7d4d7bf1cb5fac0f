import { claimSections } from '../report/sections/claims.ts';
import { unaskedSection } from '../report/sections/unasked.ts';
import { noTimer } from '../run/measured-targets.ts';
import { summarizeClaims } from '../summary/claims.ts';
import { readPublished } from '../summary/published.ts';
import { CANNED } from '../targets/canned.ts';
import { chooseTargets } from '../targets/targets.ts';
import { comparingSections } from './comparing.ts';
import { frameworksPlan, isCostAlone } from './frameworks-plan.ts';
import type { Suite } from './suite.ts';

/** What each framework costs, and how many requests each answers, in every topology. */
export const frameworks: Suite = {
  ...frameworksPlan,
  subjects: ({ given, packages, options }) => ({
    ...chooseTargets(packages, given.targets ?? null, 'frameworks'),
    // A canned answer tells how much room there was, where requests/s are measured in slices.
    probes: options.contiguous || isCostAlone(options) ? [] : [CANNED],
    readTimer: noTimer,
  }),
  show(summary, options) {
    const { record, conditions } = summary;
    const claims = summarizeClaims(record, conditions, readPublished('frameworks'));
    const sections = [
      ...comparingSections(summary, options),
      ...claimSections(claims, { isShort: !options.details }),
      ...unaskedSection(record.plan),
    ];
    return { sections, isFound: true };
  },
};
