/** The loads of a workload, from its declaration. */
import {
  blocksIn,
  type ClosedLoad,
  closedLoad,
  costLoad,
  LONE_SHARE,
  type Load,
  openLoad,
  roundsOf,
  TIMEOUT_NS,
  type Timing,
  timingOf,
} from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunOptions } from '../request/run-options.ts';
import type { Target } from '../targets/targets.ts';
import {
  type DeclaredClosedLoad,
  type DeclaredLoad,
  type DeclaredOpenLoad,
  levelId,
  type Placement,
  type Workload,
} from './declaration.ts';
import { isSelected } from './select.ts';

/** A slice that is a share of another is no shorter than this, ns. */
const SHORTEST_SHARE_NS = 5e8;
/** A pilot's slices, ns: at a low rate, and at the servers' limit. */
const LOW_PILOT_NS = 5e8;
const LIMIT_PILOT_NS = 8e8;
/** So low a rate that every request comes alone, and high enough to tell what one costs, requests/s. */
const LOW_PILOT_RATE = 100;
/** A rate at which servers are to be idle for most of the time is this share less: launches differ. */
const MARGIN = 0.1;

/** What a workload's rates are derived from, and the load that finds it out; null where no rate needs it. */
export function pilotOf(
  workload: Workload,
  options: RunOptions,
): { load: Load; of: (target: Target) => boolean } | null {
  const derived = usedOf(workload, options)
    .filter((load) => load.kind === 'open')
    .flatMap(({ rate, ...load }) => (typeof rate === 'number' ? [] : [{ ...load, rate }]));
  const [first] = derived;
  if (first === undefined) return null;
  const selectors = derived.flatMap((load) => load.placements.map(({ targets }) => targets));
  const of = (target: Target) => selectors.some((selector) => isSelected(target, selector));
  const timing = (mostNs: number): Timing => {
    const sliceNs = Math.min(mostNs, options.sliceS * 1e9);
    return { method: 'sliced', sliceNs, everyNthRound: 1, timeoutNs: TIMEOUT_NS };
  };
  if ('busyAtMost' in first.rate) {
    const { maxInFlight: connections, driver = options.driver } = first;
    const asked = { ratePerS: LOW_PILOT_RATE, driver, connections };
    return { load: { ...openLoad(asked, timing(LOW_PILOT_NS)), id: 'pilot' }, of };
  }
  const limit = workload.loads.find((load) => load.kind === 'closed');
  if (limit === undefined)
    throw new Error('a share of what the slowest answers needs a closed load');
  const { id, connections } = limit;
  const load = closedLoadOf(limit, { id, connections }, options, timing(LIMIT_PILOT_NS));
  return { load, of };
}

/** The loads of a workload, each with the topologies that it is put on, and the targets. */
export function loadsOf(workload: Workload, inputs: LoadInputs): LoadAssignment[] {
  const { options } = inputs;
  return usedOf(workload, options).flatMap((load) => {
    if (load.kind === 'open') {
      return placed(load, load.placements, openLoadOf(load, inputs), inputs);
    }
    return levelsOf(load, options).flatMap((level, place) => {
      const { placements, higherPlacements = placements } = load;
      const own = closedLoadOf(load, level, options, timeOf(load, options, place > 0));
      return placed(load, place === 0 ? placements : higherPlacements, own, inputs);
    });
  });
}

/** The loads that have a place in a run. */
function usedOf({ loads }: Workload, { contiguous, topologies }: RunOptions): DeclaredLoad[] {
  const isUsed = ({ on }: Placement) => {
    if (on === 'all') return true;
    if (on === 'others') return topologies.some((each) => each !== 'single');
    return topologies.some((each) => String(each) === on);
  };
  return loads
    .filter(({ slicedOnly }) => !(slicedOnly && contiguous))
    .filter(({ placements }) => placements.some(isUsed));
}

function placed(
  { freshProcesses }: DeclaredLoad,
  placements: readonly Placement[],
  load: Load,
  { topologies }: LoadInputs,
): LoadAssignment[] {
  const others = topologiesAt('others', topologies);
  return placements
    .filter(({ unlessOthers }) => !(unlessOthers && others.length > 0))
    .map((each) => ({
      load,
      on: topologiesAt(each.on, topologies),
      of: (target: Target) => isSelected(target, each.targets),
      ...(freshProcesses ? { fresh: true as const } : {}),
    }));
}

function topologiesAt(on: Placement['on'], topologies: Topology[]): Topology[] {
  switch (on) {
    case 'all':
      return topologies;
    case 'single':
      return topologies.filter(isPlain);
    case 'others':
      return topologies.filter((topology) => !isPlain(topology));
    default:
      return topologies.filter(({ id, names }) => id === on || names.includes(on));
  }
}

/** One of a declared load's numbers of connections. */
type Level = Pick<DeclaredClosedLoad, 'id' | 'connections'>;

function levelsOf({ id, levels, connections }: DeclaredClosedLoad, options: RunOptions): Level[] {
  if (levels === undefined) return [{ id, connections }];
  const lower = levels.filter((level) => level < options.connections);
  return [...lower, options.connections].map((level) => {
    return { id: levelId(id, level), connections: level };
  });
}

function closedLoadOf(
  declared: DeclaredClosedLoad,
  { id, connections: own }: Level,
  options: RunOptions,
  timing: Timing,
): ClosedLoad {
  const { headline, waitForAll, drainBetweenSlices, turnS, timeoutPerConnectionS = 0 } = declared;
  const { pipelining = options.pipelining, timeoutS = TIMEOUT_NS / 1e9 } = declared;
  const connections = own ?? options.connections;
  const label = declared.label.replace('{connections}', String(connections));
  const asked = { id, label, headline, connections, pipelining };
  const load = declared.likeCostLoad ? costLoad(options) : closedLoad({ ...asked, ...timing });
  return {
    ...load,
    ...asked,
    waitForAll,
    drainBetweenSlices,
    timeoutNs: Math.max(timeoutS, timeoutPerConnectionS * connections) * 1e9,
    blocks: turnS === undefined ? load.blocks : blocksIn(load, turnS * 1e9),
  };
}

function openLoadOf(declared: DeclaredOpenLoad, { options, pilot }: LoadInputs): Load {
  const { id, rate, maxInFlight: connections, driver = options.driver } = declared;
  const ratePerS = typeof rate === 'number' ? rate : derivedRate(rate, pilot);
  return { ...openLoad({ ratePerS, driver, connections }, timeOf(declared, options)), id };
}

function derivedRate(
  rate: Exclude<DeclaredOpenLoad['rate'], number>,
  pilot: LoadInputs['pilot'],
): number {
  if ('ofSlowest' in rate) {
    if (pilot.kind !== 'capacity')
      throw new Error('the rates need what the slowest server answers');
    return Number((rate.ofSlowest * pilot.perS).toPrecision(2));
  }
  if (pilot.kind !== 'singleRequest')
    throw new Error('the low rate needs what a lone request costs');
  return lowRate(pilot.cpuNs, rate.busyAtMost);
}

/** The highest rate, to two digits, at which the dearest server is busy for less than this share of the time. */
function lowRate(cpuNs: number, busyAtMost: number): number {
  const perS = (Math.min(busyAtMost, LONE_SHARE) * (1 - MARGIN) * 1e9) / cpuNs;
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(perS)) - 1);
  return Math.max(1, Math.floor(perS / digit) * digit);
}

/** The slices of a load: by its share of the time, in each round or once a launch. */
function timeOf({ time }: DeclaredLoad, options: RunOptions, isHigherLevel = false): Timing {
  const timing = timingOf(options);
  const {
    share = 1,
    atMostS = Number.POSITIVE_INFINITY,
    oncePerLaunch = isHigherLevel,
  } = time ?? {};
  if (options.contiguous || (time === undefined && !isHigherLevel)) return timing;
  const rounds = roundsOf(options);
  const everyNthRound = oncePerLaunch ? rounds : 1;
  const slices = options.launches * Math.ceil(rounds / everyNthRound);
  const sliceNs =
    Math.min(timing.sliceNs * rounds * options.launches * share, atMostS * 1e9) / slices;
  const leastNs = share < 1 ? SHORTEST_SHARE_NS : 0;
  return { ...timing, sliceNs: Math.max(1, leastNs, Math.round(sliceNs)), everyNthRound };
}
