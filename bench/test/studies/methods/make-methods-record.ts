import { type MethodsRecord, newMethodsRecord } from '../../../src/studies/methods/record.ts';
import { METHODS, type Method } from '../../../src/studies/methods/run-options.ts';
import { makeMachine } from '../../support/make-record.ts';

type Ratios = MethodsRecord['measurements'][number]['ratios'];

/** A record in which each measurement took a time and found ratios; null for one that is not there. */
export function makeMethodsRecord(
  repeats: number,
  story: (method: Method, repeat: number) => { wallS: number; ratios: Ratios } | null,
): MethodsRecord {
  const parts = { machine: makeMachine(), seed: 1, repeats, targetNs: 75e9 };
  const record = newMethodsRecord(parts, new Date('2026-01-02T03:04:05.678Z'));
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const method of METHODS) {
      const told = story(method, repeat);
      if (told === null) continue;
      const { wallS, ratios } = told;
      record.measurements.push({ method, repeat, wallNs: wallS * 1e9, ratios });
    }
  }
  return record;
}
