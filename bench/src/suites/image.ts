import { join } from 'node:path';
import { WORKLOADS } from '../base/places.ts';
import { DRIVER_NAMES } from '../load/drivers.ts';
import {
  blocksIn,
  type Load,
  openLoad,
  patientLoad,
  TIMEOUT_NS,
  type Timing,
  timingOf,
} from '../plan/loads.ts';
import type { Grounds, Placed } from '../plan/make-plan.ts';
import { plainest } from '../plan/topology.ts';
import { detailSection } from '../report/sections/details.ts';
import { imageSections } from '../report/sections/image.ts';
import type { Defaults } from '../request/amounts.ts';
import type { RunOptions } from '../request/run-options.ts';
import { noTimer } from '../run/subjects.ts';
import { summarizeImage } from '../summary/image.ts';
import { isOfClaims, LIMIT, OVERLOADED, SERVED } from '../summary/image-names.ts';
import { chooseTargets, type Target } from '../targets/targets.ts';
import { IN_SLICES } from './in-slices.ts';
import type { Suite } from './suite.ts';

/** Where its servers are. */
export const IMAGE_FOLDER = join(WORKLOADS, 'image');

/**
 * A picture takes up to half a second: slices hold whole rounds of the widths however long those take, and so
 * many are under way that there is always a next one.
 */
const FULL: Defaults = {
  topologies: ['single'],
  connections: 4,
  pipelining: 1,
  durationS: 12,
  sliceS: 3,
  launches: 4,
  warmupS: 2,
};
/** Those alone that the published claims are about. */
const QUICK: Defaults = { ...FULL, durationS: 2, sliceS: 1, launches: 2, warmupS: 0.3 };

/** Of what the slowest answers at its limit: a rate that all can serve, and one that only some can. */
const SHARES = { [SERVED]: 0.6, [OVERLOADED]: 2 };
/** Slices at rates are longer, most of all at one that all can serve: few requests come in a second. */
const LONGER = { [SERVED]: 4, [OVERLOADED]: 4 / 3 };
/** What is compared has to be near in time: a piece is a round of the widths at the least. */
const TURN_NS = 1.5e9;
/** Connections rest while all others have their turns. */
const RESTING_NS = 120e9;
/** The most that wait for their pictures at a rate. */
const UNDER_WAY = 100;
/** Of the pilot's slices, which end once all that was sent in them is answered. */
const PILOT_SLICE_NS = 0.8e9;
const [PACER] = DRIVER_NAMES;

/** The same picture resized by several libraries in three languages: what an image costs, and what decides it. */
export const image: Suite = {
  name: 'image',
  defaults: ({ quick }) => (quick ? QUICK : FULL),
  ...IN_SLICES,
  pilot: ({ connections, sliceS }) => {
    const sliceNs = Math.min(PILOT_SLICE_NS, sliceS * 1e9);
    const timing = { method: 'sliced', sliceNs, every: 1, timeoutNs: TIMEOUT_NS } as const;
    return { load: limitLoad({ connections }, timing), of: isMain };
  },
  loads,
  subjects({ given, packages }) {
    const { quick, targets: named = null } = given;
    const chosen = chooseTargets(packages, named, 'image');
    const targets = chosen.targets.filter((each) => !quick || named !== null || isOfClaims(each));
    return { ...chosen, targets, probes: [], readTimer: noTimer };
  },
  show({ record, conditions }, { details }) {
    const summary = summarizeImage(record, conditions);
    const sections = [...imageSections(summary), ...(details ? conditions.map(detailSection) : [])];
    return { sections, isFound: true };
  },
};

/** Whether a target is a server in its own right. */
function isMain({ variantOf }: Target): boolean {
  return variantOf === null;
}

/** All at their limit, and those that are no variants at two rates that come from what the slowest answers. */
function loads({ options, topologies, basis }: Grounds): Placed[] {
  if (basis.kind !== 'capacity') throw new Error('the rates need what the slowest server answers');
  const timing = timingOf(options);
  const rate = (id: keyof typeof SHARES): Load => {
    const ratePerS = Number((SHARES[id] * basis.perS).toPrecision(2));
    const asked = { ratePerS, driver: PACER, connections: UNDER_WAY };
    return { ...openLoad(asked, { ...timing, sliceNs: timing.sliceNs * LONGER[id] }), id };
  };
  const plain = plainest(topologies);
  return [
    { load: limitLoad(options, timing), on: topologies },
    { load: rate(SERVED), on: plain, of: isMain },
    { load: rate(OVERLOADED), on: plain, of: isMain },
  ];
}

/** So many images are always under way, and each comes, however long it takes. */
function limitLoad({ connections }: Pick<RunOptions, 'connections'>, timing: Timing): Load {
  const facts = { id: LIMIT, words: 'at their limit', saturates: true };
  const resting = { ...timing, timeoutNs: RESTING_NS };
  const load = patientLoad(facts, { connections, pipelining: 1 }, resting);
  return { ...load, blocks: blocksIn(timing, TURN_NS), fromIdle: true };
}
