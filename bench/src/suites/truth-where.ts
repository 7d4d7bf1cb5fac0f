import { costLoad, withoutInterleaving } from '../plan/loads.ts';
import { truthWhereSection } from '../report/sections/truth.ts';
import { whereSections } from '../report/sections/where.ts';
import { findParts, whereTargets } from '../studies/truth/where.ts';
import { summarizeWhere } from '../summary/where.ts';
import { runnable } from '../targets/needs.ts';
import { IN_SLICES, SINGLE_COST, type Suite, usually } from './suite.ts';
import { readTimer, turnsPerUs } from './truth.ts';
import { ARRANGED, requireSampler, sampledOn } from './where.ts';

/** Servers whose CPU time is known to go to certain parts, and whether profiles find them. */
export const truthWhere: Suite = {
  ...IN_SLICES,
  name: 'truth-where',
  defaults: usually(
    { ...SINGLE_COST, durationS: 18, sliceS: 1.5, launches: 4, warmupS: 3 },
    { durationS: 3, sliceS: 0.5, launches: 3, warmupS: 1 },
  ),
  profiles: true,
  loads: ({ options, topologies }) => {
    return [{ load: withoutInterleaving(costLoad(options)), on: topologies, ...ARRANGED }];
  },
  subjects: () => {
    requireSampler();
    const targets = whereTargets(turnsPerUs()).map(sampledOn);
    return { ...runnable(targets), areBuilt: false, readTimer };
  },
  show: ({ record }, { details }) => [
    truthWhereSection(findParts(record)),
    ...(details ? whereSections(summarizeWhere(record), details) : []),
  ],
  isFound: (record) => findParts(record).every(({ finding }) => finding === 'found'),
};
