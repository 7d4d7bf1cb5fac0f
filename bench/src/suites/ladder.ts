import { join } from 'node:path';
import { WORKLOADS } from '../base/places.ts';
import { blocksIn, type ClosedLoad, costLoad } from '../plan/loads.ts';
import type { Grounds } from '../plan/make-plan.ts';
import { detailSection } from '../report/sections/details.ts';
import { rungSections } from '../report/sections/rungs.ts';
import { runtimeSection } from '../report/sections/runtimes.ts';
import type { Defaults } from '../request/amounts.ts';
import { noTimer } from '../run/subjects.ts';
import { summarizeRungs } from '../summary/rungs.ts';
import { summarizeRuntimes } from '../summary/runtimes.ts';
import { bridged, findClimbs } from '../targets/climbs.ts';
import { withServices } from '../targets/served.ts';
import { chooseTargets, type LocalTarget, readTargets } from '../targets/targets.ts';
import { COMPARING } from './in-slices.ts';
import type { Suite } from './suite.ts';

/** Where its servers are. */
export const LADDER_FOLDER = join(WORKLOADS, 'ladder');

/**
 * Every rung of every framework, with fewer requests under way than under the cost load: they take longer. The
 * highest serve a few thousand a second, so they take seconds to settle.
 */
const FULL: Defaults = {
  topologies: ['single'],
  connections: 50,
  pipelining: 4,
  durationS: 7.5,
  sliceS: 0.5,
  launches: 5,
  warmupS: 4.5,
};
/** The lowest rung and the highest alone: how much of the whole endpoint is the framework. */
const QUICK: Defaults = { ...FULL, durationS: 3.6, sliceS: 0.6, launches: 3, warmupS: 1 };

/** A turn begins and ends with an idle server: the highest rungs take tenths of a second for what is under way. */
const TURN_NS = 2e8;
/** Connections rest while all others have their turns, on a busy machine for longer than the usual. */
const TIMEOUT_NS = 60e9;

/** A small real endpoint, rung by rung, in every framework: what each rung costs, and what is the framework. */
export const ladder: Suite = {
  name: 'ladder',
  defaults: ({ quick }) => (quick ? QUICK : FULL),
  ...COMPARING,
  loads: (grounds) => [{ load: loadOf(grounds), on: grounds.topologies }],
  subjects: ladderSubjects,
  show({ record, conditions }, { details }) {
    const tables = conditions.flatMap((condition) => summarizeRungs(record, condition) ?? []);
    const runtimes = summarizeRuntimes(record, conditions);
    const sections = [
      ...tables.flatMap(rungSections),
      ...(runtimes ? [runtimeSection(runtimes)] : []),
      ...(details ? conditions.map(detailSection) : []),
    ];
    return { sections, isFound: true };
  },
};

/** The servers of the ladder, those of the same height together; the ends alone where it is to be quick. */
export function ladderSubjects({
  given,
  packages,
}: Parameters<Suite['subjects']>[0]): ReturnType<Suite['subjects']> {
  const { quick, targets: named = null } = given;
  const chosen = withServices(chooseTargets(packages, named, 'ladder'), named);
  const kept = quick && named === null ? endsOf(chosen.targets) : chosen.targets;
  const targets = bridged(kept, readTargets(packages));
  return { ...chosen, targets, probes: [], readTimer: noTimer };
}

function endsOf(targets: readonly LocalTarget[]): LocalTarget[] {
  const ends = findClimbs(targets).flatMap(({ rungs, swapped }) => {
    return [rungs[0], rungs.at(-1), swapped].map((target) => target?.name);
  });
  return targets.filter(({ name }) => ends.includes(name));
}

/** The cost load with so many connections, in turns in which even the highest rung can end. */
function loadOf({ options }: Grounds): ClosedLoad {
  const load = { ...costLoad(options), timeoutNs: TIMEOUT_NS };
  const { connections, pipelining } = options;
  return { ...load, connections, pipelining, blocks: blocksIn(load, TURN_NS) };
}
