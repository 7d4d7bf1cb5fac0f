import { join } from 'node:path';
import { WORKLOADS } from '../base/places.ts';
import { type ClosedLoad, patientLoad, roundsOf, TIMEOUT_NS, timingOf } from '../plan/loads.ts';
import type { Grounds, Placed } from '../plan/make-plan.ts';
import { plainest } from '../plan/topology.ts';
import { boardSections } from '../report/sections/board.ts';
import { detailSection } from '../report/sections/details.ts';
import type { Defaults } from '../request/amounts.ts';
import { noTimer } from '../run/subjects.ts';
import { summarizeBoard } from '../summary/board.ts';
import {
  BOARD_PATHS,
  type BoardPath,
  boardPathOf,
  isAbout,
  isOfPublished,
  isPublished,
  LATEST,
} from '../summary/board-names.ts';
import { byRequest } from '../targets/by-request.ts';
import { withServices } from '../targets/served.ts';
import { chooseTargets, type Target } from '../targets/targets.ts';
import { IN_SLICES } from './in-slices.ts';
import type { Suite } from './suite.ts';

/** Where its servers are. */
export const BOARD_FOLDER = join(WORKLOADS, 'board');

/** The published numbers of connections; the last one is the most, unless -c says otherwise. */
const LEVELS = [10, 50, 100];
/** All that was published, and every variant under the fewest connections. */
const FULL: Defaults = {
  topologies: ['single', 'max'],
  connections: 100,
  pipelining: 1,
  durationS: 6.4,
  sliceS: 0.8,
  launches: 4,
  warmupS: 2,
};
/** One question alone: where the time of the two that were published goes. */
const QUICK: Defaults = {
  ...FULL,
  topologies: ['single'],
  connections: 10,
  durationS: 2.4,
  launches: 3,
  warmupS: 1,
};

/**
 * The dearest answer, five queries a post each of them prepared, takes no longer than this, ns: a request
 * waits for one of each connection before it.
 */
const DEAREST_NS = 0.5e9;

/** A message board in several languages: what its database costs, and who is to blame. */
export const board: Suite = {
  name: 'board',
  defaults: ({ quick }) => (quick ? QUICK : FULL),
  ...IN_SLICES,
  loads,
  subjects({ given, packages }) {
    const { quick, targets: named = null } = given;
    // By the names that were given, which those of each request are not.
    const chosen = withServices(chooseTargets(packages, named, 'board'), named);
    const targets = byRequest(chosen.targets).filter((target) => {
      return isAbout(target) && (!quick || named !== null || isOfPublished(target));
    });
    return { ...chosen, targets, probes: [], readTimer: noTimer };
  },
  show({ record, conditions }, { details }) {
    const summary = summarizeBoard(record, conditions);
    const sections = [...boardSections(summary), ...(details ? conditions.map(detailSection) : [])];
    return { sections, isFound: true };
  },
};

/**
 * Each path under each number of connections, all on processes of their own, so that the peak of their
 * memory is of that number alone. Variants have the fewest connections; what was published has all, on
 * as many cores as it can use, as then.
 */
function loads({ options, topologies }: Grounds): Placed[] {
  const plain = plainest(topologies);
  const others = topologies.filter((topology) => !plain.includes(topology));
  const usesMore = ({ scale }: Target) => scale.by === 'threads' && others.length > 0;
  const isMain = ({ variantOf }: Target) => variantOf === null;
  const levels = [...LEVELS.filter((level) => level < options.connections), options.connections];
  return BOARD_PATHS.flatMap((path) => {
    return levels.flatMap((connections, place): Placed[] => {
      const load = levelLoad(path, connections, timingAt(place, options));
      const isAsked = (target: Target) => boardPathOf(target) === path;
      const hasLevel = (target: Target) => {
        return place === 0 || isMain(target) || (isPublished(target) && !usesMore(target));
      };
      return [
        { load, on: plain, of: (each) => isAsked(each) && hasLevel(each), fresh: true },
        {
          ...{ load, on: others, fresh: true },
          of: (each) => isAsked(each) && usesMore(each) && (isMain(each) || isPublished(each)),
        },
      ];
    });
  });
}

/** Connections that take long to be answered are opened once in a launch, for as long as the rounds of the fewest. */
function timingAt(level: number, options: Grounds['options']) {
  const timing = timingOf(options);
  const rounds = roundsOf(options);
  return level === 0 ? timing : { ...timing, sliceNs: timing.sliceNs * rounds, every: rounds };
}

/**
 * So many connections without pipelining, as published: 100 answers of half a megabyte are as much as may be
 * under way. Those of the database come however long they take, so that no slice leaves work to the next.
 */
function levelLoad(
  path: BoardPath,
  connections: number,
  timing: ReturnType<typeof timingAt>,
): ClosedLoad {
  const id = `${path.slice(1)}-${connections}`;
  const facts = { id, words: `on ${path} with ${connections} connections`, saturates: true };
  const timeoutNs = Math.max(TIMEOUT_NS, connections * DEAREST_NS);
  const load = patientLoad(facts, { connections, pipelining: 1 }, { ...timing, timeoutNs });
  const isSlow = path === LATEST;
  return { ...load, headline: 'cpu', patient: isSlow, fromIdle: isSlow };
}
