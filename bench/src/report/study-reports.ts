import type { MethodsFindings, RatioFindings } from '../studies/methods/findings.ts';
import type { MethodsRecord, RatioName } from '../studies/methods/record.ts';
import { METHODS } from '../studies/methods/run-options.ts';
import type { PriceFinding, PriceVerdict } from '../studies/price/findings.ts';
import type { PriceName } from '../studies/price/plan.ts';
import type { PriceRecord } from '../studies/price/record.ts';
import { amount, type Column, type Document, tableOf, words } from './document.ts';
import { dotColumn } from './drawings.ts';
import { duration, list, percent, plural, range, ratioRange, sentences } from './format.ts';
import { slicesText, studyDocument } from './head.ts';
import { HEADLINES } from './names.ts';
import { section, unheaded } from './section.ts';

export function priceDocument(record: PriceRecord, findings: PriceFinding[]): Document {
  const { launches, rounds, sliceNs, state, neighbours, variants } = record;
  const amount = `${plural(launches, 'launch')} × ${slicesText(rounds, sliceNs)} with and without each`;
  const nameOf = ({ name }: PriceFinding) => ACTIONS[name];
  const table = tableOf(['what the harness does to a server', nameOf], PRICE_COLUMNS, findings);
  const text = sentences(
    verdictSentence(findings),
    SAMPLING,
    VERIFICATION,
    `Alive beside the server are its twin and ${plural(neighbours, 'idle server')}; what they add is compared with ` +
      'all of them stopped.',
    !variants.includes('unpinned') &&
      'Pinning is left out: on this machine no core can be reserved for the server.',
  );
  const heading = 'What measuring adds to the cheapest server there is';
  const body = section(heading, [table, text]);
  return studyDocument('price', record, amount, state === 'complete', [body]);
}

const ACTIONS: Record<PriceName, string> = {
  sampling: 'reads its CPU and memory 10 times a second',
  verification: 'verifies it before any load',
  neighbours: 'keeps other servers alive beside it',
  pinning: 'pins it to cores of its own',
};

const VERDICTS: Record<PriceVerdict, { adds: string; sentence: string }> = {
  above: { adds: 'above 1 %', sentence: 'Shown to add more than 1 %' },
  below: { adds: 'below 1 %', sentence: 'Shown to add less than 1 %' },
  "can't tell": { adds: "can't tell", sentence: 'Not known precisely enough' },
};

const PRICE_COLUMNS: Column<PriceFinding>[] = [
  // With the digits that tell 1 from 1.01.
  amount('', 'CPU/request, with\nover without', ({ ratio }) => {
    return range(ratio, (value) => value.toFixed(4));
  }),
  words('', 'it adds', ({ verdict }) => {
    const text = VERDICTS[verdict].adds;
    return verdict === 'above' ? { text, emphasis: 'warn' } : text;
  }),
];

function verdictSentence(findings: PriceFinding[]): string {
  if (findings.every(({ verdict }) => verdict === 'below')) {
    return 'Nothing that the harness does adds 1 % or more to the CPU time of a request.';
  }
  const parts = Object.entries(VERDICTS).map(([wanted, { sentence }]) => {
    const names = findings.flatMap(({ verdict, name }) => (verdict === wanted ? [name] : []));
    return names.length > 0 && `${sentence}: ${names.join(', ')}.`;
  });
  return sentences(...parts);
}

const SAMPLING =
  'Sampling is an upper bound: a run reads CPU time only at the edges of a window and memory after it, and checks four ' +
  'times a second that the processes are alive.';
const VERIFICATION =
  'Verification compares two starts of one program, which also differ by themselves.';

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
    const table = tableOf(['', ({ name }) => name], RATIO_COLUMNS, rowsOf(ratios));
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

const RATIO_COLUMNS: Column<ReturnType<typeof rowsOf>[number]>[] = [
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
