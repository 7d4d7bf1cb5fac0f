import { spin } from '../../truth/spin.ts';
import { costLoad } from '../plan/loads.ts';
import { handlerTimeSchema } from '../record/record.ts';
import { overheadSection } from '../report/sections/comparisons.ts';
import { truthSection } from '../report/sections/truth.ts';
import type { ReadTimer } from '../run/context.ts';
import { findTruth } from '../studies/truth/findings.ts';
import { SIZED_NAME, truthTargets } from '../studies/truth/targets.ts';
import { summarizeOverheads } from '../summary/comparisons.ts';
import { runnable } from '../targets/needs.ts';
import { conditionSections, detailSections, sectionOf } from './sections.ts';
import { IN_SLICES, SINGLE_COST, type Suite, usually } from './suite.ts';

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
  show: ({ record, conditions }, { details }) => [
    truthSection(findTruth(record)),
    ...conditionSections(conditions, details),
    ...sectionOf(summarizeOverheads(record, conditions), overheadSection),
    ...detailSections(conditions, details),
  ],
  isFound: (record) => findTruth(record).found,
};

const CALIBRATION_TURNS = 1e6;
const CALIBRATION_TRIES = 20;

/** About how many turns of the spin take 1 µs here. */
export function turnsPerUs(): number {
  const tries = Array.from({ length: CALIBRATION_TRIES }, () => {
    const begin = performance.now();
    spin(CALIBRATION_TURNS);
    return performance.now() - begin;
  });
  return CALIBRATION_TURNS / (Math.min(...tries) * 1000);
}

/** Asks a server that times its own work for these times. */
export const readTimer: ReadTimer = async (server, ask, sinceNs) => {
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
