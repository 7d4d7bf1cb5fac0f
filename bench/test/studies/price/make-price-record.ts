import { makePricePlan, type Variant } from '../../../src/studies/price/plan.ts';
import { newPriceRecord, type PriceRecord } from '../../../src/studies/price/record.ts';
import { makeMachine, makeOptions } from '../../support/make-record.ts';

/**
 * The record of a complete price run: CPU time for each answer, in µs, as the story tells; null for a
 * slice that is not in the record.
 */
export function makePriceRecord(
  story: (variant: Variant, launch: number, round: number) => number | null,
  { machine = makeMachine(), launches = 3 } = {},
): PriceRecord {
  const load = { connections: 100, pipelining: 10, launches };
  const lengths = { durationS: 1.5 * launches, sliceS: 0.3 };
  const plan = makePricePlan(makeOptions({ suite: 'truth', ...load, ...lengths }), machine);
  const slices = plan.launches.flatMap(({ rounds }, launch) =>
    rounds.flatMap((order, round) =>
      order.flatMap((variant) => {
        const us = story(variant, launch, round);
        if (us === null) return [];
        const measured = { cpuNs: us * 1e3 * 20_000, responses: 20_000, windowNs: 0.3e9 };
        return [{ launch, round, variant, ...measured }];
      }),
    ),
  );
  const record = newPriceRecord(plan, machine, new Date('2026-01-02T03:04:05.678Z'));
  return { ...record, state: 'complete', slices };
}
