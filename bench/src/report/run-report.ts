import type { Failure, RunRecord } from '../record/record.ts';
import type { ServiceFailure } from '../record/services.ts';
import { SERVICES } from '../services/index.ts';
import { summarizeLimits } from '../summary/limits.ts';
import { summarizeNetwork } from '../summary/network.ts';
import { summarizeServices } from '../summary/services.ts';
import { summarizeStarts } from '../summary/starts.ts';
import type { Summary } from '../summary/summary.ts';
import { brief } from './brief.ts';
import { chartSections } from './charts/index.ts';
import type { Depth, Document, Section } from './document.ts';
import { footOf } from './foot.ts';
import { runHead, serverName } from './head.ts';
import { legendOf } from './legend.ts';
import { unheaded } from './section.ts';
import { limitSection } from './sections/limits.ts';
import { networkSection } from './sections/network.ts';
import { servicesSection } from './sections/services.ts';
import { settingsSection } from './sections/settings.ts';
import { startsSection } from './sections/starts.ts';

/** The whole report of a run that shows these sections, with what failed. */
export function runDocument(
  summary: Summary,
  sections: readonly Section[],
  depth: Depth,
): Document {
  const { details, explain } = depth;
  const own = ownSections(summary, sections);
  const legend = legendOf(own);
  const more = [
    ...(legend.length > 0 && !details && !explain ? ['--explain says what the flags mean'] : []),
    ...(details ? [] : ['--details shows everything']),
  ];
  return {
    ...runHead(summary.record),
    sections: [
      ...(details ? own : brief(own)),
      ...(details ? startsOf(summary) : []),
      ...besides(summary),
      ...(details || explain ? legend : []),
    ],
    foot: [[footOf(summary, depth), ...(more.length > 0 ? [`${more.join(', ')}.`] : [])].join(' ')],
  };
}

/**
 * The same with all that a page has room for: charts below the answer, before the tables, and at the end
 * where and how it was measured. What a flag means stands with each of them.
 */
export function runPage(summary: Summary, sections: readonly Section[]): Document {
  const [answer, ...others] = ownSections(summary, sections);
  return {
    ...runHead(summary.record),
    sections: [
      ...(answer === undefined ? [] : [answer]),
      ...chartSections(summary),
      ...others,
      ...startsOf(summary),
      ...besides(summary),
      settingsSection(summary.record),
    ],
    foot: [footOf(summary, { details: true, explain: true })],
  };
}

/** What a run is about comes first; under limits that is these. */
function ownSections(summary: Summary, sections: readonly Section[]): Section[] {
  const limits = summarizeLimits(summary.record, summary.conditions);
  return [...limits.map(limitSection), ...sections];
}

/** How servers start; nothing where nobody saw that. */
function startsOf({ record }: Summary): Section[] {
  const starts = summarizeStarts(record);
  return starts.length > 0 ? [startsSection(record, starts)] : [];
}

/** The network and services, where there are any, and what failed. */
function besides({ record, conditions }: Summary): Section[] {
  const network = summarizeNetwork(record, conditions);
  const services = summarizeServices(record);
  return [
    ...(network.length > 0 ? [networkSection(network)] : []),
    ...(services.length > 0 ? [servicesSection(services)] : []),
    ...record.serviceFailures.map(serviceFailureSection),
    ...record.failures.map((failure) => failureSection(failure, record)),
  ];
}

function failureSection(
  { server, when, launch, message, logTail }: Failure,
  record: RunRecord,
): Section {
  const text = `${serverName(record, server)} failed at ${when} in launch ${launch + 1}: ${message}.`;
  return unheaded({ kind: 'failure', message: text, logTail });
}

function serviceFailureSection({
  name,
  when,
  launch,
  message,
  logTail,
  servers,
}: ServiceFailure): Section {
  const { label } = SERVICES[name];
  const text =
    `${label} failed at ${when} in launch ${launch + 1}: ${message}. Out of that launch, and of no other: ` +
    `${servers.join(', ')}.`;
  return unheaded({ kind: 'failure', message: text, logTail });
}
