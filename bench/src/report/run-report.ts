import { isKnown, widest } from '../figures/width.ts';
import { loadOf, topologyOf } from '../plan/plan.ts';
import { type Failure, type RunRecord, type ServiceFailure, targetOf } from '../record/record.ts';
import { FEWEST_UNTIL } from '../request/amounts.ts';
import { SERVICES } from '../services/index.ts';
import { summarizeLimits } from '../summary/limits.ts';
import { summarizeNetwork } from '../summary/network.ts';
import { summarizeServices, summarizeWarmups } from '../summary/servers.ts';
import type { Summary } from '../summary/summary.ts';
import { chartSections } from './charts.ts';
import type { Block, Depth, Document, Section } from './document.ts';
import { meaningOf } from './flag-texts.ts';
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
import { runHead, serverName } from './head.ts';
import { loadWords, topologyName } from './names.ts';
import { brief, notedIn, section, unheaded } from './section.ts';
import { settingsSection } from './sections/environment.ts';
import { limitSection } from './sections/limits.ts';
import { networkSection, servicesSection, startsSection } from './sections/servers.ts';

export function runDocument(
  summary: Summary,
  sections: readonly Section[],
  { details, explain }: Depth,
): Document {
  const own = withLimits(summary, sections);
  const legend = legendOf(own);
  const hint = legend.length > 0 && !explain ? '--explain explains the flags, ' : '';
  const more = !details && `${hint}--details shows everything.`;
  return {
    ...runHead(summary.record),
    sections: [
      ...(details ? [...own, ...startsSection(summary.record)] : brief(own)),
      ...failuresAndServices(summary),
      ...(details || explain ? legend : []),
    ],
    foot: [sentences(footOf(summary, details), more)],
  };
}

/** The same with charts below the answer, and at the end how it was measured. Footnotes say what their flags mean. */
export function runPage(summary: Summary, sections: readonly Section[]): Document {
  const [answer, ...others] = withLimits(summary, sections);
  return {
    ...runHead(summary.record),
    sections: [
      ...(answer ? [answer] : []),
      ...chartSections(summary),
      ...others,
      ...startsSection(summary.record),
      ...failuresAndServices(summary),
      settingsSection(summary.record),
    ],
    foot: [footOf(summary, true)],
  };
}

/** What the flags of these sections mean and what to do, in alphabetical order; nothing where they have none. */
function legendOf(sections: readonly Section[]): Section[] {
  const codes = [...new Set(sections.flatMap(notedIn))].toSorted();
  const entries = codes.map((code): Block => {
    return { kind: 'definition', term: code, text: meaningOf(code) };
  });
  return entries.length === 0 ? [] : [section('What the flags mean', entries)];
}

/** The tables of limits come first: under limits, a run is about them. */
function withLimits(summary: Summary, sections: readonly Section[]): Section[] {
  return [...summarizeLimits(summary).map(limitSection), ...sections];
}

function failuresAndServices(summary: Summary): Section[] {
  const { record } = summary;
  const services = summarizeServices(record);
  return [
    ...networkSection(summarizeNetwork(summary)),
    ...(services.length > 0 ? [servicesSection(services)] : []),
    ...record.serviceFailures.map((failure) => {
      const out = `Left out of that launch, and of no other: ${failure.servers.join(', ')}.`;
      return failureSection(SERVICES[failure.name].label, failure, out);
    }),
    ...record.failures.map((failure) =>
      failureSection(serverName(record, failure.server), failure),
    ),
  ];
}

function failureSection(
  name: string,
  { when, launch, message, logTail }: Failure | ServiceFailure,
  more: string | null = null,
): Section {
  const text = sentences(`${name} failed in launch ${launch + 1} (${when}): ${message}.`, more);
  return unheaded({ kind: 'failure', message: text, logTail });
}

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
