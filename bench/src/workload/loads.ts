/** The loads of a workload, from its declaration. */
import {
  blocksIn,
  type ClosedLoad,
  costLoad,
  LONE_SHARE,
  type Load,
  openLoad,
  patientLoad,
  roundsOf,
  TIMEOUT_NS,
  type Timing,
  throughputLoad,
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
  { loads }: Workload,
  options: RunOptions,
): { load: Load; of: (target: Target) => boolean } | null {
  const derived = loads.filter((load) => load.kind === 'open' && typeof load.rate !== 'number');
  const used = derived.filter(({ slicedOnly }) => !(slicedOnly && options.contiguous));
  const isAsked = (load: DeclaredLoad) => isPlacedOn(load, options);
  const [first] = used.filter((load) => load.kind === 'open').filter(isAsked);
  if (first === undefined || typeof first.rate === 'number') return null;
  const of = (target: Target) => {
    return used.some(({ placements }) =>
      placements.some((each) => isSelected(target, each.targets)),
    );
  };
  const timing = (mostNs: number) => {
    const sliceNs = Math.min(mostNs, options.sliceS * 1e9);
    return { method: 'sliced', sliceNs, every: 1, timeoutNs: TIMEOUT_NS } as const;
  };
  if ('busyAtMost' in first.rate) {
    const { maxInFlight: connections, driver = options.driver } = first;
    const asked = { ratePerS: LOW_PILOT_RATE, driver, connections };
    return { load: { ...openLoad(asked, timing(LOW_PILOT_NS)), id: 'pilot' }, of };
  }
  const limit = loads.find((load) => load.kind === 'closed');
  if (limit === undefined)
    throw new Error('a share of what the slowest answers needs a closed load');
  return { load: closedLoad(limit, limit.id, null, options, timing(LIMIT_PILOT_NS)), of };
}

/** The loads of a workload, each with the topologies that it is put on, and the targets. */
export function loadsOf({ loads }: Workload, inputs: LoadInputs): LoadAssignment[] {
  const { options } = inputs;
  return loads
    .filter(({ slicedOnly }) => !(slicedOnly && options.contiguous))
    .filter((load) => isPlacedOn(load, options))
    .flatMap((load) => {
      if (load.kind === 'open') {
        return placed(load, load.placements, openLoadOf(load, inputs), inputs);
      }
      const levels = load.levels === undefined ? [null] : levelsUpTo(load.levels, options);
      return levels.flatMap((level, place) => {
        const { placements, higherPlacements = placements } = load;
        const id = level === null ? load.id : levelId(load.id, level);
        const connections = level ?? load.connections ?? null;
        const own = closedLoad(load, id, connections, options, timeOf(load, options, place > 0));
        return placed(load, place === 0 ? placements : higherPlacements, own, inputs);
      });
    });
}

/** Whether some topology of a run is one that a load is put on. */
function isPlacedOn({ placements }: DeclaredLoad, { topologies }: RunOptions): boolean {
  const hasSingle = topologies.includes('single');
  return placements.some(({ on }) => {
    return (
      on === 'all' || (on === 'single' ? hasSingle : topologies.some((each) => each !== 'single'))
    );
  });
}

function levelsUpTo(levels: readonly number[], { connections }: RunOptions): number[] {
  return [...levels.filter((level) => level < connections), connections];
}

function placed(
  { freshProcesses }: DeclaredLoad,
  placements: readonly Placement[],
  load: Load,
  { topologies }: LoadInputs,
): LoadAssignment[] {
  const others = topologies.filter((topology) => !isPlain(topology));
  const on: Record<Placement['on'], Topology[]> = {
    single: topologies.filter(isPlain),
    others,
    all: topologies,
  };
  return placements
    .filter(({ unlessOthers }) => !(unlessOthers && others.length > 0))
    .map((each) => ({
      load,
      on: on[each.on],
      of: (target: Target) => isSelected(target, each.targets),
      ...(freshProcesses ? { fresh: true as const } : {}),
    }));
}

function closedLoad(
  declared: DeclaredClosedLoad,
  id: string,
  connections: number | null,
  options: RunOptions,
  timing: Timing,
): ClosedLoad {
  const asked = {
    connections: connections ?? options.connections,
    pipelining: declared.pipelining ?? options.pipelining,
  };
  const label = declared.label.replace('{connections}', String(asked.connections));
  const timeoutNs = Math.max(
    (declared.timeoutS ?? 0) * 1e9 || TIMEOUT_NS,
    (declared.timeoutPerConnectionS ?? 0) * 1e9 * asked.connections,
  );
  const turnNs = (declared.turnS ?? 0) * 1e9;
  const own = { ...asked, id, words: label, headline: declared.headline, timeoutNs };
  if (declared.likeCostLoad) {
    const load = costLoad(options);
    return { ...load, ...own, blocks: turnNs > 0 ? blocksIn(load, turnNs) : load.blocks };
  }
  const facts = { id, words: label, saturates: true };
  const load = declared.waitForAll
    ? patientLoad(facts, asked, timing)
    : throughputLoad(id, asked, timing);
  return {
    ...load,
    ...own,
    blocks: turnNs > 0 ? blocksIn(timing, turnNs) : 1,
    drainBetweenSlices: declared.drainBetweenSlices,
  };
}

function openLoadOf(declared: DeclaredOpenLoad, { options, basis }: LoadInputs): Load {
  const { id, rate, maxInFlight: connections, driver = options.driver } = declared;
  const ratePerS = typeof rate === 'number' ? rate : derivedRate(rate, basis);
  return { ...openLoad({ ratePerS, driver, connections }, timeOf(declared, options)), id };
}

function derivedRate(
  rate: Exclude<DeclaredOpenLoad['rate'], number>,
  basis: LoadInputs['basis'],
): number {
  if ('ofSlowest' in rate) {
    if (basis.kind !== 'capacity')
      throw new Error('the rates need what the slowest server answers');
    return Number((rate.ofSlowest * basis.perS).toPrecision(2));
  }
  if (basis.kind !== 'lone') throw new Error('the low rate needs what a lone request costs');
  return lowRate(basis.cpuNs, rate.busyAtMost);
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
  const every = oncePerLaunch ? rounds : 1;
  const slices = options.launches * Math.ceil(rounds / every);
  const sliceNs =
    Math.min(timing.sliceNs * rounds * options.launches * share, atMostS * 1e9) / slices;
  const leastNs = share < 1 ? SHORTEST_SHARE_NS : 0;
  return { ...timing, sliceNs: Math.max(1, leastNs, Math.round(sliceNs)), every };
}
