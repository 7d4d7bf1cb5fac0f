import type { Failure } from '../../src/record/record.ts';

/** Failures of a server in these launches, by default in the first three. */
export function failuresOf(server: string, launches = [0, 1, 2]): Failure[] {
  const how = { when: 'slice', message: 'it died', died: true } as const;
  return launches.map((launch) => ({ server, launch, ...how, logTail: [] }));
}
