import type { RunRecord } from '../../../src/record/record.ts';
import { SIZED, SIZED_NAME, truthTargets } from '../../../src/studies/truth/targets.ts';
import { makeRecord } from '../../support/make-record.ts';

const BASE_US = 9;
/** Six launches that differ by a hundredth of a µs. */
const WOBBLE_US = [0, 0.01, -0.01, 0.005, -0.005, 0];

/** What is to be changed of a run in which everything comes out as it is known. */
interface Lie {
  /** µs measured more than known, by target. */
  more?: Record<string, number>;
  bytes?: number;
  /** How far the launches differ, as a multiple. */
  noise?: number;
}

/** A truth run in which everything comes out as it is known, but for this. */
export function makeTruthRecord({
  more = {},
  bytes = SIZED.head + SIZED.body,
  noise = 1,
}: Lie = {}): RunRecord {
  const { targets, probes } = truthTargets(1000);
  const options = {
    ...({ suite: 'truth', connections: 100, pipelining: 10, launches: 6, durationS: 18 } as const),
  };
  const record = makeRecord({ options, targets, probes }, ({ target }, launch) => {
    const spin = Number(/^(?:spin|timed)-(\d+)$/.exec(target)?.[1] ?? 0);
    const wobble = (WOBBLE_US[launch] ?? 0) * noise * (target === 'twin-a' ? 1 : -1);
    return {
      ok: 10_000,
      cpuUsPerResponse: BASE_US + spin + wobble + (more[target] ?? 0),
      bytesPerResponse: target === SIZED_NAME ? bytes : 138,
    };
  });
  for (const slice of record.slices) {
    const us = Number(/^timed-(\d+)/.exec(slice.cell)?.[1]);
    if (us > 0) slice.handler = { medianNs: us * 1000, meanNs: us * 1010 };
  }
  return record;
}
