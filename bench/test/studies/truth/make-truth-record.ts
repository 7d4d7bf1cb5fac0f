import type { HandlerTime, RunRecord } from '../../../src/record/record.ts';
import { COSTS, SIZED, SIZED_NAME, truthTargets } from '../../../src/studies/truth/targets.ts';
import { truth } from '../../../src/suites/truth.ts';
import { makeRecord } from '../../support/make-record.ts';

const BASE_US = 9;
/** Six launches that differ by a hundredth of a µs. */
const WOBBLE_US = [0, 0.01, -0.01, 0.005, -0.005, 0];
/** What the work that leaves garbage takes by the clock, and what the collector takes for it, µs. */
export const GARBAGE_US = { clock: 4, collector: 1 };

/** What is to be changed of a run in which everything comes out as it is known. */
interface Lie {
  /** µs measured more than known, by target. */
  more?: Record<string, number>;
  bytes?: number;
  /** How far the launches differ, as a multiple. */
  noise?: number;
  launches?: number;
}

/** What a target does more than the twins, µs. */
function costOf(target: string): { clock: number; collector: number } {
  const known = COSTS.flatMap((set) => set.known).find(({ name }) => name === target);
  if (known === undefined) return { clock: 0, collector: 0 };
  return known.work === 'spin' ? { clock: known.amount, collector: 0 } : GARBAGE_US;
}

/** What the clock of a server tells: the twins leave a little garbage too, 0.2 µs of it. */
function handlerOf(target: string): HandlerTime {
  const { clock, collector } = costOf(target);
  return { medianNs: clock * 1000, meanNs: clock * 1010, gcNs: 200 + collector * 1000 };
}

/** A truth run in which everything comes out as it is known, but for this. */
export function makeTruthRecord({
  more = {},
  bytes = SIZED.head + SIZED.body,
  noise = 1,
  launches = 6,
}: Lie = {}): RunRecord {
  const { targets, probes } = truthTargets(1000);
  const options = { connections: 100, pipelining: 10, launches, durationS: 3 * launches };
  return makeRecord({ suite: truth, options, targets, probes }, ({ target }, launch) => {
    const { clock, collector } = costOf(target);
    const wobble = (WOBBLE_US[launch] ?? 0) * noise * (['twin-a', 'go'].includes(target) ? 1 : -1);
    return {
      ok: 10_000,
      cpuUsPerResponse: BASE_US + clock + collector + wobble + (more[target] ?? 0),
      bytesPerResponse: target === SIZED_NAME ? bytes : 138,
      handler: target === SIZED_NAME ? null : handlerOf(target),
    };
  });
}
