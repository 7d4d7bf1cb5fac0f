import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED } from '../base/places.ts';
import type { RunRecord } from '../record/record.ts';
import { type Judgements, judgementSchema } from '../workload/declaration.ts';

/** What others published about the frameworks, and about one process and clusters. */
export function readPublished(suite: 'frameworks' | 'cluster'): Judgements {
  return judgementSchema.parse(JSON.parse(readFileSync(join(PUBLISHED, `${suite}.json`), 'utf8')));
}

/** What a run is judged by: what its workload declares, or what was published about its kind; null for neither. */
export function judgementsOf({ suite, workload }: RunRecord): Judgements | null {
  if (workload !== null) return workload;
  return suite === 'frameworks' || suite === 'cluster' ? readPublished(suite) : null;
}
