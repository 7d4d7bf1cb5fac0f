import { COST, costLoad } from '../plan/loads.ts';
import { taxSection } from '../report/sections/comparisons.ts';
import type { TopologyName } from '../request/option-values.ts';
import { summarizeTax } from '../summary/comparisons.ts';
import { detailSections } from './sections.ts';
import { IN_SLICES, ofSuite, type Suite, usually } from './suite.ts';

/** What people use in place of a process manager. */
const INSTEAD: TopologyName[] = ['reuse-port:1', 'threads:1'];
/** Plain `node`, and everything that can be between it and a single process. */
const TOPOLOGIES: TopologyName[] = ['single', 'fork', 1, 'pmx:1', 'cluster:1', ...INSTEAD];
const TARGETS = ['fastify-app'];

export const pm2Tax: Suite = {
  ...IN_SLICES,
  name: 'pm2-tax',
  defaults: usually(
    { topologies: TOPOLOGIES, ...COST, durationS: 30, sliceS: 0.5, launches: 6, warmupS: 3 },
    { durationS: 3, sliceS: 0.2, launches: 3, warmupS: 1.5 },
  ),
  // Cost is measured in every topology: what is between server and client is the point here.
  loads: ({ options, topologies }) => [{ load: costLoad(options), on: topologies }],
  subjects: ({ given, ...asked }) => {
    return ofSuite(null, { ...asked, given: { ...given, targets: given.targets ?? TARGETS } });
  },
  show: (summary, { details }) => [
    ...(summarizeTax(summary) ?? []).map(taxSection),
    ...detailSections(summary.conditions, details),
  ],
};
