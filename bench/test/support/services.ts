import { join } from 'node:path';
import { SERVICES, type ServiceName } from '../../src/services/index.ts';
import { programsOf } from '../../src/services/programs.ts';
import { FIXTURES } from './fixtures.ts';

/** The folder of the fixture servers that need services. */
export const SERVED = join(FIXTURES, 'services');

/** Why tests of these services are skipped; null if their programs are installed. */
export function missingHere(...names: ServiceName[]): string | null {
  const missing = names.flatMap((name) => {
    const programs = programsOf(SERVICES[name]);
    return programs.state === 'missing' ? [programs.program] : [];
  });
  return missing.length === 0 ? null : `not here: ${missing.join(', ')}`;
}
