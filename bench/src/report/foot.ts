import { isKnown, widest } from '../figures/width.ts';
import { loadOf, topologyOf } from '../plan/plan.ts';
import { type RunRecord, targetOf } from '../record/record.ts';
import { FEWEST_UNTIL } from '../request/amounts.ts';
import type { Summary } from '../summary/summary.ts';
import { summarizeWarmups } from '../summary/warmups.ts';
import type { Depth } from './document.ts';
import { asked, count, duration, limit, megabytes, percent, plural, time } from './format.ts';
import { serverName } from './head.ts';
import { loadWords, topologyName } from './names.ts';

/** How long a run measured and warmed up, what ended it, and what the harness itself used. */
export function footOf({ record, measuredNs, harnessShare }: Summary, { details }: Depth): string {
  const { wallNs, firstTableNs, harnessPeakBytes } = record;
  const share = percent(wallNs === 0 ? 0 : measuredNs / wallNs);
  const sentences = [
    ...untilSentence(record),
    ...(record.plan.launches.length === 1 ? ['One launch has no interval.'] : []),
    `Measured ${duration(measuredNs)} of ${duration(wallNs)} (${share}).`,
    ...(firstTableNs === null || !details
      ? []
      : [`First table ${duration(firstTableNs)} after the first slice.`]),
    ...(details
      ? [
          `The harness itself used ${percent(harnessShare)} of a core inside the windows, and ${megabytes(harnessPeakBytes)} MB.`,
        ]
      : []),
    ...repeatSentences(record),
    ...warmupSentences(record, details),
  ];
  return sentences.join(' ');
}

/** That the generators failed, and how often; nothing where they never did. */
function repeatSentences({ repeats }: RunRecord): string[] {
  const last = repeats.at(-1);
  if (last === undefined) return [];
  const again = plural(repeats.length, 'measurement');
  return [`${again} taken again with a new generator: ${last.message}.`];
}

/** Of servers that had not settled, so many are named. */
const MOST_NAMES = 3;

/** What the warm-ups came to, in short only where a server had not settled; nothing where nobody looked. */
function warmupSentences(record: RunRecord, details: boolean): string[] {
  const warmups = summarizeWarmups(record);
  if (warmups === null) return [];
  const { starts, settled, capped } = warmups;
  const median =
    settled === null || !details
      ? []
      : [
          `Servers had settled after ${time(settled.ns)} and ${count(settled.requests)} requests in the median start.`,
        ];
  if (capped === null) return median;
  const names = capped.servers.slice(0, MOST_NAMES).map((server) => serverName(record, server));
  const rest = capped.servers.length - names.length;
  const more = rest > 0 ? ` and ${count(rest)} more` : '';
  const who = details ? `: ${names.join(', ')}${more}` : '';
  return [
    ...median,
    `${count(capped.starts)} of ${plural(starts, 'start')} had not settled within ${limit(capped.capNs)} of warm-up${who}.`,
  ];
}

/** What `--until` came to; nothing where it was not given, or the run was cut short. */
function untilSentence(record: RunRecord): string[] {
  const { state, plan } = record;
  const least = widest(record);
  const until = plan.until?.share ?? null;
  if (until === null || state !== 'complete' || least === null) return [];
  const wanted = `±${asked(until)}`;
  const launches = plural(plan.launches.length, 'launch', 'launches');
  if (isKnown(record, until)) {
    return [`Went on until every ratio was known to ${wanted}: ${launches}.`];
  }
  const { cell, share } = least;
  if (share <= until) {
    return [
      `Ended at --max-time after ${launches}; every ratio seems known to ${wanted}, but so few launches may agree by ` +
        `chance: it takes ${FEWEST_UNTIL} to be sure.`,
    ];
  }
  const topology = topologyName(topologyOf(plan, cell.topology));
  const load = loadWords(loadOf(plan, cell.load));
  const who = `${targetOf(record, cell.target).label}, ${topology}, ${load},`;
  const known = Number.isFinite(share) ? percent(share) : '?';
  return [
    `Ended at --max-time after ${launches}; ${who} is still known to ±${known} only (${wanted} was asked for).`,
  ];
}
