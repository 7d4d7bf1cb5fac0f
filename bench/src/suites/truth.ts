import { spin } from '../../truth/spin.ts';
import type { RunningServer } from '../launch/server.ts';
import { COST, costLoad } from '../plan/loads.ts';
import { type HandlerTime, handlerTimeSchema } from '../record/record.ts';
import { conditionSection } from '../report/sections/condition.ts';
import { detailSection } from '../report/sections/details.ts';
import { overheadSection } from '../report/sections/overhead.ts';
import { truthSection } from '../report/sections/truth.ts';
import type { Defaults } from '../request/amounts.ts';
import type { Ask } from '../run/measured-targets.ts';
import { findTruth } from '../studies/truth/findings.ts';
import { isTimed, truthTargets } from '../studies/truth/targets.ts';
import { summarizeOverheads } from '../summary/comparisons.ts';
import { equipped } from '../targets/needs.ts';
import { IN_SLICES } from './in-slices.ts';
import type { Suite } from './suite.ts';

/** The cost load, on servers that settle early. */
const FULL: Defaults = {
  topologies: ['single'],
  ...COST,
  durationS: 10.8,
  sliceS: 0.9,
  launches: 6,
  warmupS: 2,
};
const QUICK: Defaults = { ...FULL, durationS: 0.9, sliceS: 0.1, launches: 3, warmupS: 0.6 };

/** Servers whose cost is known, and whether the harness finds it. */
export const truth: Suite = {
  name: 'truth',
  defaults: ({ quick }) => (quick ? QUICK : FULL),
  ...IN_SLICES,
  loads: ({ options, topologies }) => [{ load: costLoad(options), on: topologies }],
  subjects: () => {
    const { targets, probes } = truthTargets(turnsPerUs());
    return { ...equipped(targets), probes, areBuilt: false, readTimer };
  },
  show({ record, conditions }, { details }) {
    const findings = findTruth(record);
    const overheads = summarizeOverheads(record, conditions);
    const sections = [
      truthSection(findings),
      ...conditions.map((each) => conditionSection(each, { details })),
      ...(overheads ? [overheadSection(overheads)] : []),
      ...(details ? conditions.map(detailSection) : []),
    ];
    return { sections, isFound: findings.found };
  },
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
