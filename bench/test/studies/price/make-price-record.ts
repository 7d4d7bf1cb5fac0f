import { newRecord, type RunRecord } from '../../../src/record/record.ts';
import type { Backend } from '../../../src/run/backend.ts';
import { noTimer, type RunEvents } from '../../../src/run/context.ts';
import { run } from '../../../src/run/run.ts';
import {
  makePricePlan,
  PRICE_TARGETS,
  type Variant,
  variantOf,
} from '../../../src/studies/price/plan.ts';
import { type PriceRecord, priceRecordOf } from '../../../src/studies/price/record.ts';
import { truth } from '../../../src/suites/truth.ts';
import { makeMachine, makeOptions, makeSlices } from '../../support/make-record.ts';
import { UNHEARD } from '../../support/unheard.ts';

const ANSWERS = 20_000;
const { twins, neighbours } = PRICE_TARGETS;
const SUBJECTS = { targets: [...twins, ...neighbours], probes: [], readTimer: noTimer };

/** What happens in a slice: CPU time for each answer, µs; null for a slice that is not in the record. */
type PriceStory = (variant: Variant, launch: number, round: number) => number | null;

/** A price run that is about to begin: by default one launch of one round of the shortest slices. */
export function preparePrice(machine = makeMachine(), launches = 1, rounds = 1, sliceS = 0.1) {
  const load = { connections: 100, pipelining: 10, launches, warmupS: 0.1 };
  const options = makeOptions({ ...load, sliceS, durationS: sliceS * rounds * launches });
  const plan = makePricePlan(truth, options, machine);
  const startedAt = new Date('2026-01-02T03:04:05.678Z');
  const record = newRecord({ suite: 'price', machine, targets: twins, plan }, startedAt);
  const [[group] = []] = plan.launches;
  if (group === undefined) throw new Error('there is no group');
  return { plan, group, record };
}

/** Carries it out. */
export function carryOut(record: RunRecord, backend: Backend, events: Partial<RunEvents> = {}) {
  return run(record, SUBJECTS, { ...UNHEARD, ...events }, backend);
}

/** What the common runner sees of a complete price run. */
export function makePriceRun(
  story: PriceStory,
  { machine = makeMachine(), launches = 3 } = {},
): RunRecord {
  const { plan, record } = preparePrice(machine, launches, 5, 0.3);
  const slices = makeSlices(plan, ({ id }, launch, round) => {
    const cpuUsPerResponse = story(variantOf(plan, launch, id), launch, round);
    return cpuUsPerResponse === null ? null : { ok: ANSWERS, windowS: 0.3, cpuUsPerResponse };
  });
  return { ...record, state: 'complete', slices };
}

/** The record of a complete price run that went as the story tells. */
export function makePriceRecord(
  story: PriceStory,
  parts: Parameters<typeof makePriceRun>[1] = {},
): PriceRecord {
  return priceRecordOf(makePriceRun(story, parts));
}
