import {
  blocksIn,
  type ClosedLoad,
  closedLoad,
  costLoad,
  type Load,
  openLoad,
  roundsOf,
  SINGLE_REQUEST_SHARE,
  TIMEOUT_NS,
  type Timing,
  timingOf,
} from '../plan/loads.ts';
import type { LoadAssignment, LoadInputs } from '../plan/make-plan.ts';
import type { Topology } from '../plan/topology.ts';
import type { RunOptions } from '../request/run-options.ts';
import { originalOf } from '../targets/copies.ts';
import type { Target } from '../targets/targets.ts';
import type { DeclaredLoad, Placement, Selector, Workload } from './declaration.ts';

/** The shortest slice of a load that has only a share of the time, ns. */
const SHORTEST_SHARE_NS = 5e8;
/** The slices of a pilot, ns: at a low rate, and at the servers' limit. */
const LOW_PILOT_NS = 5e8;
const LIMIT_PILOT_NS = 8e8;
/** Low enough for every request to come alone, and high enough to show what one costs, requests/s. */
const LOW_PILOT_RATE = 100;
/** A rate that is to keep servers mostly idle is lower by this share, since launches differ. */
const MARGIN = 0.1;

/** The load of the pilot from which a workload's rates are derived; null if no rate needs it. */
export function pilotOf(workload: Workload, options: RunOptions) {
  const derived = usedOf(workload, options)
    .filter((load) => load.kind === 'open')
    .flatMap(({ rate, ...load }) => (typeof rate === 'number' ? [] : [{ ...load, rate }]));
  const [first] = derived;
  if (first === undefined) return null;
  const selectors = derived.flatMap((load) => load.placements.map(({ targets }) => targets));
  const of = (target: Target) => selectors.some((selector) => isSelected(target, selector));
  const sliceNs = (mostNs: number) => Math.min(mostNs, options.sliceS * 1e9);
  if ('busyAtMost' in first.rate) {
    const { maxInFlight: connections, driver = options.driver } = first;
    const asked = { ratePerS: LOW_PILOT_RATE, driver, connections };
    return { load: openLoad({ ...asked, id: 'pilot', sliceNs: sliceNs(LOW_PILOT_NS) }), of };
  }
  const limit = workload.loads.find((load) => load.kind === 'closed');
  if (limit === undefined)
    throw new Error('a share of what the slowest answers needs a closed load');
  return { load: closedLoadOf(limit, options, { sliceNs: sliceNs(LIMIT_PILOT_NS) }), of };
}

/** The loads of a workload, each with its topologies and targets. */
export function loadsOf(workload: Workload, inputs: LoadInputs): LoadAssignment[] {
  const { options } = inputs;
  return usedOf(workload, options).flatMap((load) => {
    if (load.kind === 'open') {
      return assign(load, load.placements, openLoadOf(load, inputs), inputs);
    }
    return levelsOf(load, options).flatMap((level, place) => {
      const { placements, higherPlacements = placements } = level;
      const own = closedLoadOf(level, options, timeOf(level, options, place > 0));
      return assign(level, place === 0 ? placements : higherPlacements, own, inputs);
    });
  });
}

function usedOf({ loads }: Workload, { contiguous, topologies }: RunOptions): DeclaredLoad[] {
  const isUsed = ({ on }: Placement) => topologies.some((each) => isOn(on, [String(each)]));
  return loads.filter(({ slicedOnly, placements }) => {
    return !(slicedOnly && contiguous) && placements.some(isUsed);
  });
}

function assign(
  { freshProcesses }: DeclaredLoad,
  placements: readonly Placement[],
  load: Load,
  { topologies }: LoadInputs,
): LoadAssignment[] {
  const hasOthers = topologiesAt('others', topologies).length > 0;
  return placements
    .filter(({ unlessOthers }) => !(unlessOthers && hasOthers))
    .map((each) => ({
      load,
      on: topologiesAt(each.on, topologies),
      of: (target: Target) => isSelected(target, each.targets),
      fresh: freshProcesses,
    }));
}

function topologiesAt(on: Placement['on'], topologies: Topology[]): Topology[] {
  return topologies.filter(({ id, names }) => isOn(on, [id, ...names]));
}

/** Whether a placement is on the topology that has these names. */
function isOn(on: Placement['on'], names: readonly string[]): boolean {
  if (on === 'others') return !names.includes('single');
  return on === 'all' || names.includes(on);
}

/** A declared load once for each of its numbers of connections. */
function levelsOf(load: DeclaredLoad<'closed'>, options: RunOptions): DeclaredLoad<'closed'>[] {
  if (load.levels === undefined) return [load];
  const lower = load.levels.filter((level) => level < options.connections);
  return [...lower, options.connections].map((connections) => {
    return { ...load, id: `${load.id}-${connections}`, connections };
  });
}

function closedLoadOf(
  declared: DeclaredLoad<'closed'>,
  options: RunOptions,
  timing: Partial<Timing>,
): ClosedLoad {
  const { id, headline, waitForAll, drainBetweenSlices, turnS } = declared;
  const { connections = options.connections, pipelining = options.pipelining } = declared;
  const { timeoutS = TIMEOUT_NS / 1e9, timeoutPerConnectionS = 0 } = declared;
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

function openLoadOf(declared: DeclaredLoad<'open'>, { options, pilot }: LoadInputs): Load {
  const { id, rate, maxInFlight: connections, driver = options.driver } = declared;
  const ratePerS = ratePerSOf(rate, pilot);
  return openLoad({ ...timeOf(declared, options), id, ratePerS, driver, connections });
}

function ratePerSOf(rate: DeclaredLoad<'open'>['rate'], pilot: LoadInputs['pilot']): number {
  if (typeof rate === 'number') return rate;
  if ('ofSlowest' in rate) {
    if (pilot.kind !== 'capacity')
      throw new Error('the rates need what the slowest server answers');
    return Number((rate.ofSlowest * pilot.perS).toPrecision(2));
  }
  if (pilot.kind !== 'singleRequest')
    throw new Error('the low rate needs what a lone request costs');
  // The highest rate, to two digits, at which the costliest server is busy for less than this share of the time.
  const busyShare = Math.min(rate.busyAtMost, SINGLE_REQUEST_SHARE);
  const perS = (busyShare * (1 - MARGIN) * 1e9) / pilot.cpuNs;
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(perS)) - 1);
  return Math.max(1, Math.floor(perS / digit) * digit);
}

/** The slices of a load, by its share of the time, in each round or once a launch. */
function timeOf({ time }: DeclaredLoad, options: RunOptions, isHigherLevel = false): Timing {
  if (options.contiguous) return timingOf(options);
  const { share = 1, atMostS = Infinity, oncePerLaunch = isHigherLevel } = time ?? {};
  const everyNthRound = oncePerLaunch ? roundsOf(options) : 1;
  const timing = timingOf(options, { everyNthRound, share, mostNs: atMostS * 1e9 });
  const leastNs = share < 1 ? SHORTEST_SHARE_NS : 1;
  return { ...timing, sliceNs: Math.max(leastNs, timing.sliceNs) };
}

export function isSelected(target: Target, selector: Selector): boolean {
  const { variantOf, requests } = target;
  const name = originalOf(target.name);
  const base = variantOf === null ? null : originalOf(variantOf);
  return [selector].flat().some(({ names, except, variants, variantsOf, path, scale }) => {
    return (
      (names === undefined || names.includes(name)) &&
      (except === undefined || !except.includes(name)) &&
      (variants === undefined || variants === (base !== null)) &&
      (variantsOf === undefined || (base !== null && variantsOf.includes(base))) &&
      (path === undefined || path === requests[0]?.request.path) &&
      (scale === undefined || scale === target.scale.by)
    );
  });
}
