import type { Failure, RunRecord } from '../record/record.ts';
import type { ServiceFailure } from '../record/services.ts';
import { SERVICES } from '../services/index.ts';
import { summarizeServices } from '../summary/services.ts';
import type { Summary } from '../summary/summary.ts';
import { chartSections } from './charts/index.ts';
import type { Document, Section } from './document.ts';
import { footOf } from './foot.ts';
import { runHead, serverName } from './head.ts';
import { legendOf } from './legend.ts';
import { unheaded } from './section.ts';
import { servicesSection } from './sections/services.ts';
import { settingsSection } from './sections/settings.ts';

/** The whole report of a run that shows these sections, with what failed and what their flags mean. */
export function runDocument(summary: Summary, sections: readonly Section[]): Document {
  return documentOf(summary, [...bodyOf(summary, sections), ...legendOf(sections)]);
}

/**
 * The same with all that a page has room for: charts before the tables, and at the end where and how it
 * was measured. What a flag means stands with each of them.
 */
export function runPage(summary: Summary, sections: readonly Section[]): Document {
  const body = [...chartSections(summary), ...bodyOf(summary, sections)];
  return documentOf(summary, [...body, settingsSection(summary.record)]);
}

function documentOf(summary: Summary, sections: Section[]): Document {
  return { ...runHead(summary.record), sections, foot: [footOf(summary)] };
}

/** These sections, then the services, and what failed. */
function bodyOf({ record }: Summary, sections: readonly Section[]): Section[] {
  const services = summarizeServices(record);
  return [
    ...sections,
    ...(services.length > 0 ? [servicesSection(services)] : []),
    ...record.serviceFailures.map(serviceFailureSection),
    ...record.failures.map((failure) => failureSection(failure, record)),
  ];
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
