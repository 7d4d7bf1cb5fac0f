import { spin } from '../../truth/spin.ts';
import type { RunningServer } from '../launch/server.ts';
import { COST, costLoad } from '../plan/loads.ts';
import { type HandlerTime, handlerTimeSchema } from '../record/record.ts';
import { conditionSection } from '../report/sections/condition.ts';
import { overheadSection } from '../report/sections/overhead.ts';
import { truthSection } from '../report/sections/truth.ts';
import type { Ask } from '../run/measured-targets.ts';
import { findTruth } from '../studies/truth/findings.ts';
import { isTimed, truthTargets } from '../studies/truth/targets.ts';
import { summarizeOverheads } from '../summary/comparisons.ts';
import { equipped } from '../targets/needs.ts';
import { IN_SLICES, usually } from './common.ts';
import { detailSections, sectionOf } from './sections.ts';
import type { Suite } from './suite.ts';

/** Servers whose cost is known, and whether the harness finds it. */
export const truth: Suite = {
  ...IN_SLICES,
  name: 'truth',
  // Its servers settle early.
  defaults: usually(
    { topologies: ['single'], ...COST, durationS: 10.8, sliceS: 0.9, launches: 6, warmupS: 2 },
    { durationS: 0.9, sliceS: 0.1, launches: 3, warmupS: 0.6 },
  ),
  loads: ({ options, topologies }) => [{ load: costLoad(options), on: topologies }],
  subjects: () => {
    const { targets, probes } = truthTargets(turnsPerUs());
    return { ...equipped(targets), probes, areBuilt: false, readTimer };
  },
  show: ({ record, conditions }, { details }) => [
    truthSection(findTruth(record)),
    ...conditions.map((each) => conditionSection(each, { details })),
    ...sectionOf(summarizeOverheads(record, conditions), overheadSection),
    ...detailSections(conditions, details),
  ],
  isFound: (record) => findTruth(record).found,
};

const CALIBRATION_TURNS = 1e6;
const CALIBRATION_TRIES = 20;

/** About how many turns of the spin fit into 1 µs here. */
export function turnsPerUs(): number {
  const tries = Array.from({ length: CALIBRATION_TRIES }, () => {
    const begin = performance.now();
    spin(CALIBRATION_TURNS);
    return performance.now() - begin;
  });
  return CALIBRATION_TURNS / (Math.min(...tries) * 1000);
}

/** What a server with a clock around its work tells of it. */
export async function readTimer(
  server: RunningServer,
  ask: Ask,
  sinceNs: number | null,
): Promise<HandlerTime | null> {
  if (!isTimed(server.spec.target)) return null;
  try {
    return handlerTimeSchema.parse(
      await ask(`${server.origin}/timer${sinceNs === null ? '' : `?since=${sinceNs}`}`),
    );
  } catch (error) {
    // A server that is gone is found out by its next slice.
    if (server.isAlive()) throw error;
    return null;
  }
}
