import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { latest } from './latest.ts';

/** Writes the answer that every server has to give, from the rows that the seed loads. */
const folder = join(import.meta.dirname, '../answers');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'latest.json'), `${JSON.stringify(latest(), null, 1)}\n`);
