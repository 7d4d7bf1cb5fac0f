import { z } from 'zod';
import type { Upgrade } from '../../base/json-file.ts';

/** What the next step needs of a record of version 2: the ratios of requests/s alone. */
const version2 = z.looseObject({
  measurements: z.array(z.looseObject({ ratios: z.unknown() })),
});

/**
 * Steps that bring a record of the methods to the next version, by the version that it is of. Each
 * throws a ZodError for what is none of that version.
 */
export const METHODS_UPGRADES: Readonly<Record<number, Upgrade>> = {
  2: (saved) => {
    const record = version2.parse(saved);
    const measurements = record.measurements.map(({ ratios, ...measurement }) => {
      return { ...measurement, ratios: { cpu: null, throughput: ratios } };
    });
    return { ...record, version: 3, measurements };
  },
};
