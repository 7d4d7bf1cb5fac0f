import { FEWEST_LAUNCHES } from '../figures/figures.ts';
import { timesDue } from '../plan/draw.ts';
import { COST, costLoad, lengthened, roundsOf, throughputLoad, timingOf } from '../plan/loads.ts';
import type { Placed, PlanRules } from '../plan/make-plan.ts';
import { isPlain } from '../plan/topology.ts';
import { ALL_TOPOLOGIES, type Amounts, type Defaults } from '../request/amounts.ts';
import type { RunKind, RunOptions } from '../request/run-options.ts';
import { COMPARING } from './in-slices.ts';

/** The published load, and the cost load beside it. */
const FULL: Defaults = {
  topologies: ALL_TOPOLOGIES,
  connections: 1000,
  pipelining: 1,
  durationS: 18.9,
  sliceS: 1.05,
  launches: 9,
  warmupS: 3,
};
/** As much longer is the cost load on than the one beside it: the answer is read under it. */
const COST_TIMES = 3;
/** The one beside it is on in every so many launches, since process managers take long to start: in four of nine. */
const EVERY_LAUNCH = 9 / 4;
/** One question alone: what a request costs each as a single process. */
const QUICK: Defaults = {
  topologies: ['single'],
  ...COST,
  durationS: 4.8,
  sliceS: 0.6,
  launches: 4,
  warmupS: 2,
};

/** How the frameworks are compared, whoever they are. */
export const frameworksPlan: RunKind & PlanRules = {
  name: 'frameworks',
  defaults: ({ quick }) => (quick ? QUICK : FULL),
  ...COMPARING,
  loads({ options, topologies, alone }): Placed[] {
    const timing = timingOf(options);
    if (options.contiguous) return [{ load: mainLoad(options, timing), on: topologies }];
    if (isLike(options, COST)) return [{ load: costLoad(options), on: topologies }];
    // Cost is read where nothing is between server and client.
    const plain = topologies.filter(isPlain);
    if (plain.length === 0) return [{ load: mainLoad(options, timing), on: topologies }];
    const cost = costLoad(options, alone ? 1 : COST_TIMES);
    const main = { load: mainLoad(options, spread(options, timing)), on: topologies };
    const rarely = isRare(options) ? { everyLaunch: EVERY_LAUNCH } : {};
    return [
      { ...main, ...rarely },
      { load: cost, on: plain },
    ];
  },
};

function mainLoad(options: RunOptions, timing: ReturnType<typeof timingOf>) {
  return throughputLoad(isLike(options, FULL) ? 'published' : 'custom', options, timing);
}

/** In how many of the launches the main load is on, its time is the same; what takes longer to open has longer slices. */
function spread(options: RunOptions, timing: ReturnType<typeof timingOf>) {
  const { launches } = options;
  const times = isRare(options) ? launches / timesDue(EVERY_LAUNCH, launches) : 1;
  const own = { ...timing, sliceNs: timing.sliceNs * times };
  return options.connections > COST.connections ? lengthened(own, roundsOf(options)) : own;
}

/** Where it has enough launches then. */
function isRare({ launches }: RunOptions): boolean {
  return timesDue(EVERY_LAUNCH, launches) >= FEWEST_LAUNCHES;
}

/** Whether nothing lies beside the cost load. */
export function isCostAlone(options: RunOptions): boolean {
  return isLike(options, COST);
}

type Asked = Pick<Amounts, 'connections' | 'pipelining'>;

function isLike(options: Asked, { connections, pipelining }: Asked): boolean {
  return options.connections === connections && options.pipelining === pipelining;
}
