import { COST, costLoad } from '../plan/loads.ts';
import { detailSection } from '../report/sections/details.ts';
import { taxSection } from '../report/sections/tax.ts';
import type { Defaults } from '../request/amounts.ts';
import { noTimer } from '../run/measured-targets.ts';
import { summarizeTax } from '../summary/tax.ts';
import { chooseTargets } from '../targets/targets.ts';
import { IN_SLICES } from './in-slices.ts';
import type { Suite } from './suite.ts';

/** Plain `node`, and everything that can be between it and a single process, under the cost load. */
const FULL: Defaults = {
  topologies: ['single', 'fork', 1, 'pmx:1', 'cluster:1'],
  ...COST,
  durationS: 30,
  sliceS: 0.5,
  launches: 6,
  warmupS: 3,
};
const QUICK: Defaults = { ...FULL, durationS: 3, sliceS: 0.2, launches: 3, warmupS: 1.5 };
/** Whose manager's price is measured unless something else is asked for. */
const TARGETS = ['fastify-app'];

/** What a process manager costs a server. */
export const pm2Tax: Suite = {
  name: 'pm2-tax',
  defaults: ({ quick }) => (quick ? QUICK : FULL),
  ...IN_SLICES,
  meaningless: () => ({
    connections: 'beside --pm2-tax',
    pipelining: 'beside --pm2-tax',
    rate: 'beside --pm2-tax',
    contiguous: 'beside --pm2-tax',
  }),
  // Cost is read in every topology: just what is between server and client is to be measured.
  loads: ({ options, topologies }) => [{ load: costLoad(options), on: topologies }],
  subjects: ({ given, packages }) => ({
    ...chooseTargets(packages, given.targets ?? TARGETS, null),
    probes: [],
    readTimer: noTimer,
  }),
  show({ record, conditions }, { details }) {
    const taxes = summarizeTax(record, conditions) ?? [];
    const sections = [...taxes.map(taxSection), ...(details ? conditions.map(detailSection) : [])];
    return { sections, isFound: true };
  },
};
