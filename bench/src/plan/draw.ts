import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';
import type { ClosedLoad } from './loads.ts';
import { cellOf, type Group, isProbe, isSlicedCell, loadOf, type Plan } from './plan.ts';

/** Keeps the seeds of a run's launches apart from those of a run with the next seed. */
const LAUNCH_STRIDE = 1_000_003;

/** Shuffles as the seed and the number of a launch have it. */
export function shuffler(seed: number, launch: number): <T>(items: T[]) => T[] {
  const random = xoroshiro128plus(seed + launch * LAUNCH_STRIDE);
  return (items) => shuffle(items, () => uniformFloat64(random));
}

/** Keeps the blocks of a round apart from those of other rounds, and from the order of the rounds. */
const ROUND_STRIDE = 7_368_787;
/** A server settles by requests: it has answered so many on its connections before it is measured on them, … */
const SETTLING_ANSWERS = 30_000;
/** … and is no cheaper in turns of this length together, ns, than in as long before. */
const STEADY_NS = 4e8;
/** At a low rate the lead-in is twice that at the most: servers have been warmed up by then. */
const LOW_LEAD_IN_NS = 2 * STEADY_NS;

/** In each block the places of the servers, in their turn. */
type Blocks = number[][];

/** The order of the turns in blocks that count, and in those before them. */
export interface BlockPlan {
  blocks: Blocks;
  /** At most all of these, until each server has answered so many requests and is no cheaper over so many blocks. */
  leadIn: { blocks: Blocks; answers: number; span: number };
}

export const NO_LEAD_IN: BlockPlan['leadIn'] = { blocks: [], answers: 0, span: 1 };

/**
 * The blocks of a load's slices in a round, each of all of these places in an order drawn for it, and of those before
 * them, in which the servers warm up for as long as they may.
 */
export function drawBlocks(
  { seed, warmup }: Plan,
  launch: number,
  round: number,
  places: number,
  { sliceNs, blocks: count, saturates }: Pick<ClosedLoad, 'sliceNs' | 'blocks' | 'saturates'>,
): BlockPlan {
  const shuffled = shuffler(seed + (round + 1) * ROUND_STRIDE, launch);
  const all = Array.from({ length: places }, (_, place) => place);
  const draw = (length: number) => Array.from({ length }, () => shuffled(all));
  const blocks = draw(count);
  if (warmup.kind === 'none' || warmup.kind === 'paced') return { blocks, leadIn: NO_LEAD_IN };
  const wantedNs = warmup.kind === 'settled' ? warmup.capNs : warmup.ns;
  const capNs = saturates ? wantedNs : Math.min(wantedNs, LOW_LEAD_IN_NS);
  const turnNs = sliceNs / count;
  const most = Math.max(2, Math.round(capNs / turnNs));
  const span = Math.max(1, Math.min(Math.round(STEADY_NS / turnNs), Math.floor(most / 2)));
  return {
    blocks,
    leadIn: { blocks: draw(most), answers: saturates ? SETTLING_ANSWERS : 0, span },
  };
}

/**
 * The next launch of a plan: the groups and the order of each round, drawn from the seed and the
 * launch's number.
 */
export function drawLaunch(plan: Plan): Group[] {
  const shuffled = shuffler(plan.seed, plan.launches.length);
  const groups = plan.groupOrder === 'listed' ? plan.groups : shuffled(plan.groups);
  return groups.map((cells) => {
    const rounds = Array.from({ length: roundsIn(plan, cells) }, (_, round) =>
      drawRound(
        plan,
        cells.filter((id) => isDue(plan, id, round)),
        shuffled,
      ),
    );
    return { cells, idle: [], unverified: [], rounds };
  });
}

/**
 * Variants of one another side by side, and so in one interleaving: they are what is compared, and a machine's pace
 * changes while dozens of servers have their turns.
 */
function drawRound(plan: Plan, cells: string[], shuffled: ReturnType<typeof shuffler>): string[] {
  const families = Map.groupBy(cells, (id) => {
    const { target, topology, load, arrangement } = cellOf(plan, id);
    return [plan.roots[target] ?? target, topology, load, arrangement].join('/');
  });
  return shuffled([...families.values()]).flatMap((family) => {
    // Without variants a seed draws the order that it always drew.
    return family.length > 1 ? shuffled(family) : family;
  });
}

/** A group is sliced, or it is a single cell in one piece. */
function roundsIn(plan: Plan, [id = '']: string[]): number {
  return isSlicedCell(plan, id) ? plan.rounds : 1;
}

/** Whether a cell gets a slice in a round of the next launch: as often as its load says; a probe in the last of those. */
function isDue(plan: Plan, id: string, round: number): boolean {
  const load = loadOf(plan, cellOf(plan, id).load);
  const { everyNthRound } = load;
  const everyNthLaunch = load.kind === 'open' ? load.everyNthLaunch : 1;
  if (round % everyNthRound !== 0 || plan.launches.length % everyNthLaunch !== 0) return false;
  const isLast = round + everyNthRound >= plan.rounds;
  return isLast || !isProbe(plan, id);
}
