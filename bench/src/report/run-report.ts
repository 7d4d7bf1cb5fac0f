import type { Failure, ServiceFailure } from '../record/record.ts';
import { SERVICES } from '../services/index.ts';
import { summarizeLimits } from '../summary/limits.ts';
import { summarizeNetwork } from '../summary/network.ts';
import { summarizeServices } from '../summary/servers.ts';
import type { Summary } from '../summary/summary.ts';
import { chartSections } from './charts/index.ts';
import type { Block, Depth, Document, Section } from './document.ts';
import { meaningOf } from './flag-texts.ts';
import { footOf } from './foot.ts';
import { sentences } from './format.ts';
import { runHead, serverName } from './head.ts';
import { brief, notedIn } from './notes.ts';
import { section, unheaded } from './section.ts';
import {
  networkSection,
  servicesSection,
  settingsSection,
  startsSection,
} from './sections/environment.ts';
import { limitSection } from './sections/limits.ts';

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

/**
 * The same with everything that a page has room for: charts below the answer, before the tables, and at the end where
 * and how it was measured. The meaning of a flag is in its footnote.
 */
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
