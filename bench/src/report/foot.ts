import { isKnown, widest } from '../figures/width.ts';
import { loadOf, topologyOf } from '../plan/plan.ts';
import { type RunRecord, targetOf } from '../record/record.ts';
import { FEWEST_UNTIL } from '../request/amounts.ts';
import { summarizeWarmups } from '../summary/servers.ts';
import type { Summary } from '../summary/summary.ts';
import {
  asked,
  count,
  duration,
  limit,
  megabytes,
  outOf,
  percent,
  plural,
  sentences,
  time,
} from './format.ts';
import { serverName } from './head.ts';
import { loadWords, topologyName } from './names.ts';

/** How long a run measured and warmed up, what ended it, and what the harness itself used. */
export function footOf({ record, measuredNs, harnessShare }: Summary, details: boolean): string {
  const { wallNs, firstTableNs, harnessPeakBytes, plan, repeats } = record;
  const share = percent(wallNs < 1 ? 0 : measuredNs / wallNs);
  const last = repeats.at(-1);
  return sentences(
    untilSentence(record),
    plan.launches.length === 1 && 'One launch gives no interval.',
    `Measuring took ${duration(measuredNs)} of ${duration(wallNs)} (${share}).`,
    details &&
      firstTableNs !== null &&
      `The first table came ${duration(firstTableNs)} after the first slice.`,
    details &&
      `The harness itself used ${percent(harnessShare)} of a core during the windows, and ${megabytes(harnessPeakBytes)} MB.`,
    last &&
      `${plural(repeats.length, 'measurement')} repeated with a new generator: ${last.message}.`,
    ...warmupSentences(record, details),
  );
}

const MOST_NAMES = 3;

/** How long servers warmed up, without details only which had not settled; nothing in records that do not say. */
function warmupSentences(record: RunRecord, details: boolean) {
  const { starts, settled, capped } = summarizeWarmups(record);
  const names = (capped?.servers ?? []).map((server) => serverName(record, server));
  const rest = names.splice(MOST_NAMES).length;
  const who = `: ${names.join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}`;
  return [
    details &&
      settled &&
      `In the median start a server had settled after ${time(settled.ns)} and ${count(settled.requests)} requests.`,
    capped &&
      `${outOf(capped.starts, starts, 'start')} had not settled within ${limit(capped.capNs)} of warm-up${details ? who : ''}.`,
  ];
}

/** What `--until` achieved; null if it was not given, or the run was cut short. */
function untilSentence(record: RunRecord): string | null {
  const { state, plan } = record;
  const least = widest(record);
  const until = plan.until?.share ?? null;
  if (until === null || state !== 'complete' || least === null) return null;
  const wanted = `±${asked(until)}`;
  const launches = plural(plan.launches.length, 'launch');
  if (isKnown(record, until)) {
    return `Measured until every ratio was known to ${wanted}: ${launches}.`;
  }
  const { cell, share } = least;
  if (share <= until) {
    return (
      `Stopped at --max-time after ${launches}; every ratio seems known to ${wanted}, but so few launches may agree ` +
      `by chance: it takes ${FEWEST_UNTIL} to be sure.`
    );
  }
  const where = `${topologyName(topologyOf(plan, cell.topology))}, ${loadWords(loadOf(plan, cell.load))}`;
  const known = Number.isFinite(share) ? percent(share) : '?';
  return (
    `Stopped at --max-time after ${launches}; ${targetOf(record, cell.target).label}, ${where}, is known only to ` +
    `±${known} (${wanted} was asked for).`
  );
}
