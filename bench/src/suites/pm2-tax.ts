import { COST, costLoad } from '../plan/loads.ts';
import { taxSection } from '../report/sections/tax.ts';
import type { Defaults } from '../request/amounts.ts';
import { summarizeTax } from '../summary/tax.ts';
import { IN_SLICES, ofSuite, usually } from './common.ts';
import { detailSections } from './sections.ts';
import type { Suite } from './suite.ts';

/** Plain `node`, everything that can be between it and a single process, and what can be there instead. */
const TOPOLOGIES: Defaults['topologies'] = [
  'single',
  'fork',
  1,
  'pmx:1',
  'cluster:1',
  'reuse-port:1',
  'threads:1',
];
/** Whose manager's price is measured unless something else is asked for. */
const TARGETS = ['fastify-app'];
const BESIDE = 'beside --pm2-tax';

/** What a process manager costs a server. */
export const pm2Tax: Suite = {
  ...IN_SLICES,
  name: 'pm2-tax',
  defaults: usually(
    { topologies: TOPOLOGIES, ...COST, durationS: 30, sliceS: 0.5, launches: 6, warmupS: 3 },
    { durationS: 3, sliceS: 0.2, launches: 3, warmupS: 1.5 },
  ),
  meaningless: () => ({
    connections: BESIDE,
    pipelining: BESIDE,
    rate: BESIDE,
    contiguous: BESIDE,
  }),
  // Cost is read in every topology: just what is between server and client is to be measured.
  loads: ({ options, topologies }) => [{ load: costLoad(options), on: topologies }],
  subjects: ({ given, ...asked }) => {
    return ofSuite(null, { ...asked, given: { ...given, targets: given.targets ?? TARGETS } });
  },
  show({ record, conditions }, { details }) {
    const taxes = summarizeTax(record, conditions) ?? [];
    return [...taxes.map(taxSection), ...detailSections(conditions, details)];
  },
};
