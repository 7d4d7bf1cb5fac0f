import { join } from 'node:path';
import { slicedAmounts } from '../request/run-options.ts';
import type { Suite } from '../suites/suite.ts';
import type { RunRequest } from './kind.ts';
import { partsOf } from './record-path.ts';

/** The request for where the time goes, beside one whose own it is: with the amounts of the former. */
export function whereRequest(where: Suite, request: RunRequest): RunRequest {
  const { options, given } = request;
  const usual = where.defaults(given);
  return {
    ...request,
    options: {
      ...options,
      ...slicedAmounts(usual, given),
      topologies: usual.topologies,
      contiguous: false,
      until: null,
      out: options.out === null ? null : besideOf(options.out),
    },
  };
}

/** `run.json` becomes `run-where.json`. */
function besideOf(path: string): string {
  const { folder, name, ending } = partsOf(path);
  return join(folder, `${name}-where${ending}`);
}
