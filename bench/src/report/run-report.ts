import type { Failure, RunRecord } from '../record/record.ts';
import type { ServiceFailure } from '../record/services.ts';
import { SERVICES } from '../services/index.ts';
import { summarizeLimits } from '../summary/limits.ts';
import { summarizeServices } from '../summary/services.ts';
import type { Summary } from '../summary/summary.ts';
import type { Document, Section } from './document.ts';
import { footOf } from './foot.ts';
import { runHead, serverName } from './head.ts';
import { legendOf } from './legend.ts';
import { unheaded } from './section.ts';
import { limitSection } from './sections/limits.ts';
import { servicesSection } from './sections/services.ts';

/** The whole report of a run that shows these sections, with what failed and what their flags mean. */
export function runDocument(summary: Summary, sections: readonly Section[]): Document {
  const { record } = summary;
  const services = summarizeServices(record);
  const own = [...sections, ...summarizeLimits(record, summary.conditions).map(limitSection)];
  return {
    ...runHead(record),
    sections: [
      ...own,
      ...(services.length > 0 ? [servicesSection(services)] : []),
      ...record.serviceFailures.map(serviceFailureSection),
      ...record.failures.map((failure) => failureSection(failure, record)),
      ...legendOf(own),
    ],
    foot: [footOf(summary)],
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
