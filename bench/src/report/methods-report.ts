import type { MethodsFindings, RatioFindings } from '../studies/methods/findings.ts';
import type { MethodsRecord, RatioName } from '../studies/methods/record.ts';
import { METHODS } from '../studies/methods/run-options.ts';
import { amount, type Column, type Document, tableOf, words } from './document.ts';
import { dotColumn } from './drawings.ts';
import { duration, list, percent, plural, ratioRange, sentences } from './format.ts';
import { studyDocument } from './head.ts';
import { HEADLINES } from './names.ts';
import { section, unheaded } from './section.ts';

export function methodsDocument(
  record: MethodsRecord,
  { methods, headlines }: MethodsFindings,
): Document {
  const { repeats, targetNs, measurements } = record;
  const amount = `${plural(repeats, 'repeat')} of about ${duration(targetNs)} by each method, in turn`;
  const isComplete = measurements.length === repeats * METHODS.length;
  const took = methods.map(({ method, wallNs }) => {
    return `a ${method} measurement took ${duration(wallNs)}`;
  });
  const sections = headlines.map(({ headline, ratios }, index) => {
    const heading = `Ratios of ${HEADLINES[headline].what}, and how far apart the repeats are`;
    const table = tableOf(['', ({ name }) => name], COLUMNS, rowsOf(ratios));
    // What holds for every headline is said under the first.
    const general = index === 0 && `On average ${list(took)}. ${SPREAD}`;
    return section(heading, [table, sentences(narrowerText(ratios), general)]);
  });
  const shown = methods.length > 0 ? sections : [unheaded('Nothing was measured.')];
  return studyDocument('methods', record, amount, isComplete, shown);
}

const SPREAD =
  'The spread is the standard deviation of the logarithm of the ratio. The ratio of one server under two names should be 1.';

const LABELS: Record<RatioName, string> = {
  expressToFastify: 'Express : Fastify',
  fastifyTwins: 'Fastify twice',
  expressTwins: 'Express twice',
};

function rowsOf(ratios: RatioFindings[]) {
  return ratios.flatMap(({ ratio, found }) => {
    const all = found.flatMap(({ values }) => values);
    return found.map((each) => ({ name: LABELS[ratio], all, ...each }));
  });
}

const COLUMNS: Column<ReturnType<typeof rowsOf>[number]>[] = [
  words('', 'method', ({ method }) => method),
  amount('', 'repeats', ({ values }) => String(values.length)),
  amount('', 'smallest', ({ values }) => fine(Math.min(...values))),
  amount('', 'largest', ({ values }) => fine(Math.max(...values))),
  amount('', 'spread', ({ spread }) => percent(spread)),
  dotColumn('every repeat, from smallest to largest', fine),
];

function narrowerText(ratios: RatioFindings[]): string | null {
  const times = ratios.flatMap(({ ratio, narrower }) => {
    return narrower.kind === 'none' ? [] : [`${ratioRange(narrower)} for ${LABELS[ratio]}`];
  });
  return times.length > 0 ? `Spread of the usual way over that of slices: ${list(times)}.` : null;
}

/** A ratio near 1, with the digits in which repeats differ. */
function fine(value: number): string {
  return value.toFixed(3);
}
