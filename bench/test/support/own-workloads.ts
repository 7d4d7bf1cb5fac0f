import { join } from 'node:path';
import { WORKLOADS } from '../../src/base/places.ts';
import type { GivenOptions } from '../../src/request/run-options.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { workloadSuite } from '../../src/suites/workload.ts';
import type { Workload } from '../../src/workload/declaration.ts';
import { readWorkload } from '../../src/workload/read.ts';

const KNOWN = new Map<string, Workload>();

/** The declaration of a workload of this repository, read once. */
export function ownWorkload(name: string): Workload {
  const known = KNOWN.get(name) ?? readWorkload(join(WORKLOADS, name)).workload;
  KNOWN.set(name, known);
  return known;
}

export function ownSuite(name: string, given: GivenOptions = {}): Suite {
  return workloadSuite(name, ownWorkload(name), given);
}
