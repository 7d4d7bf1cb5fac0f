import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';
import type { ClosedLoad } from './loads.ts';
import { cellOf, type Group, isProbe, loadOf, longestWarmupNs, type Plan } from './plan.ts';

/** Keeps the seeds of a run's launches apart from those of a run with the next seed. */
const LAUNCH_STRIDE = 1_000_003;

/** A shuffle that is determined by the seed and the number of a launch. */
export function shuffler(seed: number, launch: number): <T>(items: T[]) => T[] {
  const random = xoroshiro128plus(seed + launch * LAUNCH_STRIDE);
  return (items) => shuffle(items, () => uniformFloat64(random));
}

/** Keeps the seeds of a round's blocks apart from those of other rounds, and from that of the order of rounds. */
const ROUND_STRIDE = 7_368_787;
/** A server settles by requests: before it is measured it has answered this many on its connections, … */
const SETTLING_ANSWERS = 30_000;
/** … and its turns of this length together, ns, are no cheaper than those of as long before. */
const STEADY_NS = 4e8;
/** At a low rate the lead-in is at most twice as long, since servers are warm by then. */
const LOW_LEAD_IN_NS = 2 * STEADY_NS;

/** The order of the turns, block by block; a block has the servers by their places in the interleaving. */
export interface BlockPlan {
  blocks: number[][];
  /** It ends early once each server has answered so many requests and has been steady for `span` blocks. */
  leadIn: { blocks: number[][]; answers: number; span: number };
}

export const NO_LEAD_IN: BlockPlan['leadIn'] = { blocks: [], answers: 0, span: 1 };

/** The blocks of an interleaved load in a round, each in random order, after a lead-in as long as a warm-up may be. */
export function drawBlocks(
  plan: Plan,
  launch: number,
  round: number,
  places: number,
  { sliceNs, blocks: count, saturates }: Pick<ClosedLoad, 'sliceNs' | 'blocks' | 'saturates'>,
): BlockPlan {
  if (places === 1) return { blocks: [[0]], leadIn: NO_LEAD_IN };
  const shuffled = shuffler(plan.seed + (round + 1) * ROUND_STRIDE, launch);
  const all = Array.from({ length: places }, (_, place) => place);
  const draw = (length: number) => Array.from({ length }, () => shuffled(all));
  const blocks = draw(count);
  const warmupNs = longestWarmupNs(plan);
  if (warmupNs === 0) return { blocks, leadIn: NO_LEAD_IN };
  const capNs = saturates ? warmupNs : Math.min(warmupNs, LOW_LEAD_IN_NS);
  const turnNs = sliceNs / count;
  const most = Math.max(2, Math.round(capNs / turnNs));
  const span = Math.max(1, Math.min(Math.round(STEADY_NS / turnNs), Math.floor(most / 2)));
  const answers = saturates ? SETTLING_ANSWERS : 0;
  return { blocks, leadIn: { blocks: draw(most), answers, span } };
}

/** The next launch of a plan: its groups and the order of each round, drawn from the seed and the launch's number. */
export function drawLaunch(plan: Plan): Group[] {
  const shuffled = shuffler(plan.seed, plan.launches.length);
  const groups = plan.groupOrder === 'listed' ? plan.groups : shuffled(plan.groups);
  return groups.map((cells) => {
    // A group is sliced, or it is a single contiguous cell.
    const { method } = loadOf(plan, cellOf(plan, cells[0] ?? '').load);
    const length = method === 'sliced' ? plan.rounds : 1;
    const rounds = Array.from({ length }, (_, round) => {
      const due = cells.filter((id) => isDue(plan, id, round));
      return drawRound(plan, due, shuffled);
    });
    return { cells, idle: [], unverified: [], rounds };
  });
}

/** Keeps variants of a target in one interleaving: they are compared, and the speed of a machine changes meanwhile. */
function drawRound(plan: Plan, cells: string[], shuffled: ReturnType<typeof shuffler>): string[] {
  const families = Map.groupBy(cells, (id) => {
    const { target, topology, load, arrangement } = cellOf(plan, id);
    return [plan.roots[target] ?? target, topology, load, arrangement].join('/');
  });
  return shuffled([...families.values()]).flatMap((family) => {
    // Drawing nothing for a single cell keeps the order that seeds have always given without variants.
    return family.length > 1 ? shuffled(family) : family;
  });
}

/** Whether a cell has a slice in a round of the next launch: as often as its load says, and as a probe in the last of those. */
function isDue(plan: Plan, id: string, round: number): boolean {
  const load = loadOf(plan, cellOf(plan, id).load);
  const { everyNthRound } = load;
  const everyNthLaunch = load.kind === 'open' ? load.everyNthLaunch : 1;
  if (round % everyNthRound !== 0 || plan.launches.length % everyNthLaunch !== 0) return false;
  const isLast = round + everyNthRound >= plan.rounds;
  return isLast || !isProbe(plan, id);
}
