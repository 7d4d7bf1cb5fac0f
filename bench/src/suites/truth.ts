import { spin } from '../../truth/spin.ts';
import { costLoad, withoutInterleaving } from '../plan/loads.ts';
import { handlerTimeSchema } from '../record/record.ts';
import { overheadSection } from '../report/sections/comparisons.ts';
import { truthSection, truthWhereSection } from '../report/sections/truth.ts';
import { whereSections } from '../report/sections/where.ts';
import type { ReadTimer } from '../run/context.ts';
import { findTruth } from '../studies/truth/findings.ts';
import { SIZED_NAME, truthTargets } from '../studies/truth/targets.ts';
import { findParts, whereTargets } from '../studies/truth/where.ts';
import { summarizeOverheads } from '../summary/comparisons.ts';
import { summarizeWhere } from '../summary/where.ts';
import { runnable } from '../targets/needs.ts';
import { conditionSections, detailSections, sectionOf } from './sections.ts';
import { IN_SLICES, SINGLE_COST, type Suite, usually } from './suite.ts';
import { ARRANGED, requireSampler, sampledOn } from './where.ts';

/** Servers whose cost is known, and whether the harness finds it. */
export const truth: Suite = {
  ...IN_SLICES,
  name: 'truth',
  // These servers settle early.
  defaults: usually(
    { ...SINGLE_COST, durationS: 10.8, sliceS: 0.9, launches: 6, warmupS: 2 },
    { durationS: 0.9, sliceS: 0.1, launches: 3, warmupS: 0.6 },
  ),
  loads: ({ options, topologies }) => [{ load: costLoad(options), on: topologies }],
  subjects: () => {
    const { targets, probes } = truthTargets(turnsPerUs());
    return { ...runnable(targets), probes, areBuilt: false, readTimer };
  },
  show: (summary, { details }) => [
    truthSection(findTruth(summary.record)),
    ...conditionSections(summary.conditions, details),
    ...sectionOf(summarizeOverheads(summary), overheadSection),
    ...detailSections(summary.conditions, details),
  ],
  isFound: (record) => findTruth(record).found,
};

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

const CALIBRATION_TURNS = 1e6;
const CALIBRATION_TRIES = 20;

/** About how many turns of the spin take 1 µs here. */
function turnsPerUs(): number {
  const tries = Array.from({ length: CALIBRATION_TRIES }, () => {
    const begin = performance.now();
    spin(CALIBRATION_TURNS);
    return performance.now() - begin;
  });
  return CALIBRATION_TURNS / (Math.min(...tries) * 1000);
}

/** Asks a server that times its own work for these times. */
const readTimer: ReadTimer = async (server, ask, sinceNs) => {
  // All others have a clock around their work.
  if (server.spec.target.name === SIZED_NAME) return null;
  try {
    return handlerTimeSchema.parse(await ask(`${server.origin}/timer?since=${sinceNs}`));
  } catch (error) {
    // The next slice finds out that a server is gone.
    if (server.isAlive()) throw error;
    return null;
  }
};
