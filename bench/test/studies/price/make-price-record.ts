import { newRecord, type RunRecord } from '../../../src/record/record.ts';
import {
  makePricePlan,
  PRICE_TARGETS,
  type Variant,
  variantOf,
} from '../../../src/studies/price/plan.ts';
import { type PriceRecord, priceRecordOf } from '../../../src/studies/price/record.ts';
import { truth } from '../../../src/suites/truth.ts';
import { makeMachine, makeOptions, makeSlices } from '../../support/make-record.ts';

const ANSWERS = 20_000;

/** What happens in a slice: CPU time for each answer, µs; null for a slice that is not in the record. */
type PriceStory = (variant: Variant, launch: number, round: number) => number | null;

/** What the common runner sees of a complete price run of three launches of five rounds. */
export function makePriceRun(story: PriceStory, machine = makeMachine()): RunRecord {
  const load = { connections: 100, pipelining: 10, launches: 3, sliceS: 0.3 };
  const plan = makePricePlan(truth, makeOptions({ ...load, durationS: 5 * 0.3 * 3 }), machine);
  const startedAt = new Date('2026-01-02T03:04:05.678Z');
  const parts = { suite: 'price', machine, targets: PRICE_TARGETS.twins, plan };
  const slices = makeSlices(plan, ({ id }, launch, round) => {
    const cpuUsPerResponse = story(variantOf(plan, launch, id), launch, round);
    return cpuUsPerResponse === null ? null : { ok: ANSWERS, windowS: 0.3, cpuUsPerResponse };
  });
  return { ...newRecord(parts, startedAt), state: 'complete', slices };
}

export function makePriceRecord(...told: Parameters<typeof makePriceRun>): PriceRecord {
  return priceRecordOf(makePriceRun(...told));
}
