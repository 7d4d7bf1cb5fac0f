import { join } from 'node:path';
import { WORKLOADS } from '../base/places.ts';
import { DRIVER_NAMES } from '../load/drivers.ts';
import {
  LONE_SHARE,
  openLoad,
  roundsOf,
  TIMEOUT_NS,
  throughputLoad,
  timingOf,
} from '../plan/loads.ts';
import type { Grounds, Placed } from '../plan/make-plan.ts';
import { isPlain } from '../plan/topology.ts';
import { bidderSentences } from '../report/sections/bidder-text.ts';
import { conditionSection } from '../report/sections/condition.ts';
import { detailSection } from '../report/sections/details.ts';
import { ladderSections } from '../report/sections/ladder.ts';
import { mainSection } from '../report/sections/mains.ts';
import { stepsSection } from '../report/sections/published-steps.ts';
import { rateTables } from '../report/sections/rate.ts';
import { runtimeSection } from '../report/sections/runtimes.ts';
import type { Defaults } from '../request/amounts.ts';
import type { RunOptions } from '../request/run-options.ts';
import { noTimer } from '../run/subjects.ts';
import { summarizeLadders } from '../summary/ladder.ts';
import { summarizeMains } from '../summary/mains.ts';
import { publishedSteps, summarizeSteps } from '../summary/published-steps.ts';
import { summarizeRates } from '../summary/rates.ts';
import { summarizeRuntimes } from '../summary/runtimes.ts';
import { chooseTargets, type Target } from '../targets/targets.ts';
import { COMPARING } from './in-slices.ts';
import type { Suite } from './suite.ts';

/** The bidder, in the topologies of the published comparison. */
const FULL: Defaults = {
  topologies: ['single', 2],
  connections: 100,
  pipelining: 1,
  durationS: 26,
  sliceS: 3.25,
  launches: 4,
  warmupS: 2,
};
/** As single processes, and of the variants those alone that were published as a whole. */
const QUICK: Defaults = {
  ...FULL,
  topologies: ['single'],
  durationS: 3,
  sliceS: 1,
  launches: 3,
  warmupS: 1,
};

/** Where its servers are. */
export const BIDDER_FOLDER = join(WORKLOADS, 'bidder');

/** The published rate, requests/s, and the most that were under way there. */
const PUBLISHED_RATE = 500;
const UNDER_WAY = 500;

/** The pilot's rate, requests/s: so low that every request comes alone, and high enough to tell what it costs. */
const PILOT_RATE = 100;
const PILOT_SLICE_NS = 5e8;
/** The rate is what the pilot found, less this share: launches differ. */
const MARGIN = 0.1;

/** Seconds of the quiet load and of the one at the limit, over those of the published rate, and at the most. */
const QUIET = { share: 0.5, mostS: 24 };
const LIMIT = { share: 0.25, mostS: 8 };
const SHORTEST_SLICE_NS = 5e8;

const [PACER] = DRIVER_NAMES;

/** Whether a target is a server in its own right. */
const isMain = ({ variantOf }: Target) => variantOf === null;
/** Whether it is what was published at some step. */
const isPublished = ({ name }: Target) => {
  return publishedSteps().steps.some(({ targets }) => Object.values(targets).includes(name));
};

const QUIET_ID = 'quiet';
/** What the others are compared with: the published comparison is of Gin beside it. */
const BASE = 'nest';

/** What is the same whatever is left out. */
const BASICS = {
  name: 'bidder',
  defaults: ({ quick }) => (quick ? QUICK : FULL),
  ...COMPARING,
  hasRate: true,
  subjects: ({ given, packages }) => ({
    ...chooseTargets(packages, given.targets ?? null, 'bidder'),
    probes: [],
    readTimer: noTimer,
  }),
  show({ record, conditions }, { details }) {
    const quiet = conditions.find(({ load }) => load.id === QUIET_ID);
    const ladders = quiet ? summarizeLadders(record, quiet) : null;
    const mains = quiet ? summarizeMains(record, quiet, BASE) : null;
    const steps = summarizeSteps(record, conditions, quiet);
    const fixed = record.plan.loads.filter((load) => load.kind === 'open' && load.id !== QUIET_ID);
    const rates = summarizeRates(
      record,
      conditions,
      fixed.map(({ id }) => id),
    );
    const runtimes = summarizeRuntimes(record, conditions);
    const limits = conditions.filter(({ load }) => load.kind === 'closed');
    const sections = [
      ...(mains ? [mainSection(mains)] : []),
      ...(ladders ? ladderSections(ladders) : []),
      ...(rates ? rateTables(rates) : []),
      ...limits.map((each) => conditionSection(each, { details })),
      ...(runtimes ? [runtimeSection(runtimes)] : []),
      ...(steps ? [stepsSection(steps, bidderSentences(steps, ladders))] : []),
      ...(details ? conditions.map(detailSection) : []),
    ];
    return { sections, isFound: true };
  },
} satisfies Partial<Suite>;

/** A bidder in several frameworks and two languages: what a request costs, and what made the difference. */
export const bidder = bidderOf({ everyVariant: true });
/** The same in short, without the variants between those that were published as a whole. */
export const quickBidder = bidderOf({ everyVariant: false });

function bidderOf(scope: { everyVariant: boolean }): Suite {
  const isQuiet: NonNullable<Placed['of']> = (target) => {
    return scope.everyVariant || isMain(target) || isPublished(target);
  };
  return { ...BASICS, pilot: pilotOf(isQuiet), loads: (grounds) => loads(grounds, isQuiet) };
}

/** Nothing has to be known before the published rate, which is all that an unbroken run has, and one of clusters. */
function pilotOf(of: NonNullable<Placed['of']>): Suite['pilot'] {
  return ({ contiguous, sliceS, topologies }) => {
    if (contiguous || !topologies.includes('single')) return null;
    const sliceNs = Math.min(PILOT_SLICE_NS, sliceS * 1e9);
    const timing = { method: 'sliced', sliceNs, every: 1, timeoutNs: TIMEOUT_NS } as const;
    const asked = { ratePerS: PILOT_RATE, driver: PACER, connections: UNDER_WAY };
    return { load: { ...openLoad(asked, timing), id: 'pilot' }, of };
  };
}

/**
 * The quiet load, where a request is nearly always alone, and the most that the main ones
 * answer, both as single processes; and the published rate, as was published.
 */
function loads(
  { options, topologies, basis }: Grounds,
  isQuiet: NonNullable<Placed['of']>,
): Placed[] {
  const fixed = openLoad(
    { ratePerS: PUBLISHED_RATE, driver: options.driver, connections: UNDER_WAY },
    timingOf(options),
  );
  const [plain, others] = [topologies.filter(isPlain), topologies.filter((each) => !isPlain(each))];
  const published: Placed[] = [
    { load: fixed, on: plain, of: isMain },
    { load: fixed, on: others, of: isPublished },
  ];
  if (options.contiguous || !options.topologies.includes('single')) return published;
  if (basis.kind !== 'lone') throw new Error('the quiet load needs what a lone request costs');
  const ratePerS = quietRate(basis.cpuNs);
  const quiet = openLoad(
    { ratePerS, driver: PACER, connections: UNDER_WAY },
    spread(options, QUIET, 1),
  );
  const limit = throughputLoad('limit', options, spread(options, LIMIT, roundsOf(options)));
  return [
    { load: { ...quiet, id: QUIET_ID }, on: plain, of: isQuiet },
    ...published,
    { load: { ...limit, words: 'at their limit' }, on: plain, of: isMain },
  ];
}

/** The highest rate, to two digits, at which the dearest server is busy for less than the share of lone requests. */
function quietRate(cpuNs: number): number {
  const perS = (LONE_SHARE * (1 - MARGIN) * 1e9) / cpuNs;
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(perS)) - 1);
  return Math.max(1, Math.floor(perS / digit) * digit);
}

/** Slices in every so many rounds that come to a share of the time at the published rate. */
function spread(
  options: RunOptions,
  { share, mostS }: typeof QUIET,
  every: number,
): ReturnType<typeof timingOf> {
  const slices = options.launches * Math.ceil(roundsOf(options) / every);
  const wholeNs = Math.min(options.durationS * share, mostS) * 1e9;
  const sliceNs = Math.max(SHORTEST_SLICE_NS, Math.round(wholeNs / slices));
  return { method: 'sliced', sliceNs, every, timeoutNs: TIMEOUT_NS };
}
