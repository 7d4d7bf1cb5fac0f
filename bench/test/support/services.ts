import { join } from 'node:path';
import type { ServiceName } from '../../src/services/index.ts';
import { runnable } from '../../src/targets/needs.ts';
import { FIXTURES } from './fixtures.ts';

/** The folder of the fixture servers that need services. */
export const SERVED = join(FIXTURES, 'services');

/** Why tests of these services are skipped; null if their programs are installed. */
export function missingHere(...names: ServiceName[]): string | null {
  const services = Object.fromEntries(names.map((name) => [name, {}]));
  return runnable([{ name: 'the test', needs: [], services }]).leftOut[0] ?? null;
}
