import type { Failure, RunRecord } from '../record/record.ts';
import type { ServiceFailure } from '../record/services.ts';
import { SERVICES } from '../services/index.ts';
import { summarizeLimits } from '../summary/limits.ts';
import { summarizeServices } from '../summary/services.ts';
import type { Summary } from '../summary/summary.ts';
import { brief } from './brief.ts';
import type { Depth, Document, Section } from './document.ts';
import { footOf } from './foot.ts';
import { runHead, serverName } from './head.ts';
import { legendOf } from './legend.ts';
import { unheaded } from './section.ts';
import { limitSection } from './sections/limits.ts';
import { servicesSection } from './sections/services.ts';

/** The whole report of a run that shows these sections, with what failed. */
export function runDocument(
  summary: Summary,
  sections: readonly Section[],
  depth: Depth,
): Document {
  const { details, explain } = depth;
  const { record } = summary;
  const services = summarizeServices(record);
  // Under a limit that is what a run is about.
  const own = [...summarizeLimits(record, summary.conditions).map(limitSection), ...sections];
  const legend = legendOf(own);
  const more = [
    ...(legend.length > 0 && !details && !explain ? ['--explain says what the flags mean'] : []),
    ...(details ? [] : ['--details shows everything']),
  ];
  return {
    ...runHead(record),
    sections: [
      ...(details ? own : brief(own)),
      ...(services.length > 0 ? [servicesSection(services)] : []),
      ...record.serviceFailures.map(serviceFailureSection),
      ...record.failures.map((failure) => failureSection(failure, record)),
      ...(details || explain ? legend : []),
    ],
    foot: [[footOf(summary, depth), ...(more.length > 0 ? [`${more.join(', ')}.`] : [])].join(' ')],
  };
}

function failureSection(
  { server, when, launch, message, lastWords }: Failure,
  record: RunRecord,
): Section {
  const text = `${serverName(record, server)} failed at ${when} in launch ${launch + 1}: ${message}.`;
  return unheaded({ kind: 'failure', message: text, lastWords });
}

function serviceFailureSection({
  name,
  when,
  launch,
  message,
  lastWords,
  servers,
}: ServiceFailure): Section {
  const { label } = SERVICES[name];
  const text =
    `${label} failed at ${when} in launch ${launch + 1}: ${message}. Out of that launch, and of no other: ` +
    `${servers.join(', ')}.`;
  return unheaded({ kind: 'failure', message: text, lastWords });
}
