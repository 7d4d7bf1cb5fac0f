import type { Group, Plan } from '../../../src/plan/plan.ts';
import { newRecord, type RunRecord } from '../../../src/record/record.ts';
import type { Backend } from '../../../src/run/backend.ts';
import { noTimer, type RunEvents } from '../../../src/run/context.ts';
import { run } from '../../../src/run/run.ts';
import { makePricePlan, PRICE_TARGETS } from '../../../src/studies/price/plan.ts';
import { truth } from '../../../src/suites/truth.ts';
import type { Machine } from '../../../src/system/machine.ts';
import { makeMachine, makeOptions } from '../../support/make-record.ts';
import { UNHEARD } from '../../support/unheard.ts';

/** One launch of one round of the shortest slices. */
const TINY = makeOptions({
  connections: 100,
  pipelining: 10,
  durationS: 0.1,
  sliceS: 0.1,
  launches: 1,
  warmupS: 0.1,
});

const { twins, neighbours } = PRICE_TARGETS;
const SUBJECTS = { targets: [...twins, ...neighbours], probes: [], readTimer: noTimer };

/** A price run that is about to begin. */
export function preparePrice(machine: Machine = makeMachine()): {
  plan: Plan;
  group: Group;
  record: RunRecord;
} {
  const plan = makePricePlan(truth, TINY, machine);
  const record = newRecord({ suite: 'price', machine, targets: twins, plan }, new Date());
  const [[group] = []] = plan.launches;
  if (group === undefined) throw new Error('there is no group');
  return { plan, group, record };
}

/** Carries it out. */
export function carryOut(
  record: RunRecord,
  backend: Backend,
  events: Partial<RunEvents> = {},
): Promise<void> {
  return run(record, SUBJECTS, { ...UNHEARD, ...events }, backend);
}
