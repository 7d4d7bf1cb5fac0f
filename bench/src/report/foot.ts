import { widest } from '../figures/width.ts';
import { loadOf, topologyOf } from '../plan/plan.ts';
import { type RunRecord, targetOf } from '../record/record.ts';
import type { Summary } from '../summary/summary.ts';
import { duration, megabytes, percent, plural } from './format.ts';
import { loadWords, topologyName } from './names.ts';

/** How long a run measured, what ended it, and what the harness itself used. */
export function footOf({ record, measuredNs, harnessShare }: Summary): string {
  const { wallNs, firstTableNs, harnessPeakBytes } = record;
  const first =
    firstTableNs === null ? '' : ` First table ${duration(firstTableNs)} after the first slice.`;
  return (
    `${untilSentence(record)}Measured ${duration(measuredNs)} of ${duration(wallNs)} (${percent(wallNs === 0 ? 0 : measuredNs / wallNs)}).${first} ` +
    `The harness itself used ${percent(harnessShare)} of a core inside the windows, and ${megabytes(harnessPeakBytes)} MB.`
  );
}

/** What `--until` came to, with a space after it; empty where it was not given, or the run was cut short. */
function untilSentence(record: RunRecord): string {
  const { state, plan } = record;
  const least = widest(record);
  if (plan.until === null || state !== 'complete' || least === null) return '';
  const asked = `±${Number((plan.until.share * 100).toPrecision(3))} %`;
  const launches = plural(plan.launches.length, 'launch', 'launches');
  if (least.share <= plan.until.share) {
    return `Went on until every ratio was known to ${asked}: ${launches}. `;
  }
  const { cell, share } = least;
  const topology = topologyName(topologyOf(plan, cell.topology));
  const load = loadWords(loadOf(plan, cell.load));
  const who = `${targetOf(record, cell.target).label}, ${topology}, ${load},`;
  const known = Number.isFinite(share) ? percent(share) : '?';
  return `Ended at --max-time after ${launches}; ${who} is still known to ±${known} only (${asked} was asked for). `;
}
