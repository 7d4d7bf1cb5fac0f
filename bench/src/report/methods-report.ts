import type { HeadlineName } from '../plan/loads.ts';
import type { MethodsFindings, RatioFindings } from '../studies/methods/findings.ts';
import type { RatioName } from '../studies/methods/ratios.ts';
import type { MethodsRecord } from '../studies/methods/record.ts';
import { METHODS } from '../studies/methods/run-options.ts';
import type { Document, Section, Table } from './document.ts';
import { dotColumn } from './drawings.ts';
import { duration, percent, plural, ratioRange } from './format.ts';
import { studyHead } from './head.ts';
import { paragraph, section, unheaded } from './section.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** The whole report of how far apart the repeats of two methods came out. */
export function methodsDocument(record: MethodsRecord, findings: MethodsFindings): Document {
  const { repeats, targetNs, measurements } = record;
  const amount = `${plural(repeats, 'repeat')} of about ${duration(targetNs)} by each method, in turn`;
  const isComplete = measurements.length === repeats * METHODS.length;
  const head = studyHead('methods', record, { amount, isComplete });
  return { ...head, sections: sectionsOf(findings), foot: [] };
}

function sectionsOf(findings: MethodsFindings): Section[] {
  if (findings.methods.length === 0) {
    return [unheaded(paragraph('Nothing was measured.'))];
  }
  return findings.headlines.flatMap(({ headline, ratios }, index) => {
    const name = NAMES[headline];
    // What holds for every headline is said under the first.
    const text = [...narrowerText(ratios), ...(index === 0 ? commonText(findings) : [])];
    return section(`Ratios of ${name}, and how far apart the repeats are`, [
      spreadTable(ratios),
      paragraph(text.join(' ')),
    ]);
  });
}

const NAMES: Record<HeadlineName, string> = {
  cpu: 'CPU per request',
  throughput: 'requests/s',
};

const LABELS: Record<RatioName, string> = {
  expressToFastify: 'Express : Fastify',
  fastifyTwins: 'Fastify twice',
  expressTwins: 'Express twice',
};

function spreadTable(ratios: RatioFindings[]): Table {
  const rows = ratios.flatMap(({ ratio, found }) => {
    const all = found.flatMap(({ values }) => values);
    return found.map((each) => ({ name: LABELS[ratio], all, ...each }));
  });
  const columns: Column<(typeof rows)[number]>[] = [
    words('', 'method', ({ method }) => method),
    amount('', 'repeats', ({ values }) => String(values.length)),
    amount('', 'smallest', ({ values }) => fine(Math.min(...values))),
    amount('', 'largest', ({ values }) => fine(Math.max(...values))),
    amount('', 'spread', ({ spread }) => (spread === null ? null : percent(spread))),
    dotColumn(
      'every repeat, as far as any went',
      ({ all }) => all,
      ({ values }) => values,
      fine,
    ),
  ];
  return tableOf(['', ({ name }) => name], columns, rows);
}

/** How many times as far the usual way spreads, where that is known. */
function narrowerText(ratios: RatioFindings[]): string[] {
  const known = ratios.filter(({ narrower }) => narrower.kind !== 'none');
  const times = known.map(({ ratio, narrower }) => {
    return `${ratioRange(narrower)} times for ${LABELS[ratio]}`;
  });
  return times.length > 0 ? [`The usual way spreads as far as slices ${times.join(', ')}.`] : [];
}

function commonText({ methods }: MethodsFindings): string[] {
  const took = methods.map(
    ({ method, wallNs }) => `${method} measurement took ${duration(wallNs)}`,
  );
  return [
    `On average a ${took.join(', a ')}.`,
    'The spread is the standard deviation of the logarithm of the ratio;',
    'one server under two names must come out as 1.',
  ];
}

/** A ratio near 1, with the digits in which repeats differ. */
function fine(value: number): string {
  return value.toFixed(3);
}
