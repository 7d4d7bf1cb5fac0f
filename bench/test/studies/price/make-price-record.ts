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

/** What the common runner sees of a complete price run. */
export function makePriceRun(
  story: PriceStory,
  { machine = makeMachine(), launches = 3 } = {},
): RunRecord {
  const load = { connections: 100, pipelining: 10, launches };
  const lengths = { durationS: 1.5 * launches, sliceS: 0.3 };
  const plan = makePricePlan(truth, makeOptions({ ...load, ...lengths }), machine);
  const targets = PRICE_TARGETS.twins;
  const startedAt = new Date('2026-01-02T03:04:05.678Z');
  const slices = makeSlices(plan, ({ id }, launch, round) => {
    const cpuUsPerResponse = story(variantOf(plan, launch, id), launch, round);
    return cpuUsPerResponse === null ? null : { ok: ANSWERS, windowS: 0.3, cpuUsPerResponse };
  });
  const run = newRecord({ suite: 'price', machine, targets, plan }, startedAt);
  return { ...run, state: 'complete', slices };
}

/** The record of a complete price run that went as the story tells. */
export function makePriceRecord(
  story: PriceStory,
  parts: Parameters<typeof makePriceRun>[1] = {},
): PriceRecord {
  return priceRecordOf(makePriceRun(story, parts));
}
