import type { Found, MethodsFindings, RatioFindings } from '../studies/methods/findings.ts';
import type { Figure, RatioName } from '../studies/methods/ratios.ts';
import type { MethodsRecord } from '../studies/methods/record.ts';
import { METHODS } from '../studies/methods/run-options.ts';
import { duration, NONE, percent, plural, ratioRange } from './format.ts';
import { machineText } from './machine-text.ts';
import { section } from './section.ts';
import { type Column, type Look, renderTable } from './table.ts';
import { wrap } from './wrap.ts';

/** The whole report of how far apart the repeats of two methods came out. */
export function renderMethods(
  record: MethodsRecord,
  findings: MethodsFindings,
  look: Look,
): string {
  const parts = [renderHead(record, look)];
  if (findings.methods.length === 0) parts.push('Nothing was measured.');
  for (const [index, { figure, ratios }] of findings.figures.entries()) {
    const name = FIGURE_NAMES[figure];
    const heading = `Ratios of ${name}, and how far apart the repeats are`;
    // What holds for every figure is said under the first.
    const text = [...narrowerOf(ratios), ...(index === 0 ? commonSentences(findings) : [])];
    parts.push(section(heading, spreadTable(ratios, look), text.join(' '), look));
    parts.push(`${look.bold(`Every repeat, ${name}`)}\n${ratios.map(strips).join('\n\n')}`);
  }
  return `${parts.join('\n\n')}\n`;
}

const FIGURE_NAMES: Record<Figure, string> = {
  cpu: 'CPU per request',
  throughput: 'requests/s',
};

const LABELS: Record<RatioName, string> = {
  expressToFastify: 'Express : Fastify',
  fastifyTwins: 'Fastify twice',
  expressTwins: 'Express twice',
};

function renderHead(record: MethodsRecord, look: Look): string {
  const { machine, repeats, targetNs, seed, startedAt, measurements } = record;
  const amount = `${plural(repeats, 'repeat')} of about ${duration(targetNs)} by each method, in turn`;
  const complete = measurements.length === repeats * METHODS.length;
  const end = complete ? '' : ' This run is not complete.';
  const text = `Measured on ${machineText(machine)} ${amount}; seed ${seed}; ${startedAt}.${end}`;
  return `${look.bold('overhead methods')}\n${wrap(text, look.width)}`;
}

function spreadTable(ratios: RatioFindings[], look: Look): string {
  const rows = ratios.flatMap(({ ratio, found }) => {
    // The name stands in the first of a ratio's rows.
    return found.map((each, index) => ({ name: index === 0 ? LABELS[ratio] : '', ...each }));
  });
  const columns: Column<Found>[] = [
    { group: '', head: 'method', text: true, cell: ({ method }) => method },
    { group: '', head: 'repeats', cell: ({ values }) => String(values.length) },
    { group: '', head: 'smallest', cell: ({ values }) => fine(Math.min(...values)) },
    { group: '', head: 'largest', cell: ({ values }) => fine(Math.max(...values)) },
    { group: '', head: 'spread', cell: ({ spread }) => (spread === null ? NONE : percent(spread)) },
  ];
  return renderTable({ head: '', cell: ({ name }) => name }, columns, rows, look);
}

/** How many times as far the usual way spreads, where that is known. */
function narrowerOf(ratios: RatioFindings[]): string[] {
  const known = ratios.filter(({ narrower }) => narrower.kind !== 'none');
  const times = known.map(({ ratio, narrower }) => {
    return `${ratioRange(narrower)} times for ${LABELS[ratio]}`;
  });
  return times.length > 0 ? [`The usual way spreads as far as slices ${times.join(', ')}.`] : [];
}

function commonSentences({ methods }: MethodsFindings): string[] {
  const took = methods.map(
    ({ method, wallNs }) => `${method} measurement took ${duration(wallNs)}`,
  );
  return [
    `On average a ${took.join(', a ')}.`,
    'The spread is the standard deviation of the logarithm of the ratio;',
    'one server under two names must come out as 1.',
  ];
}

const STRIP_COLUMNS = 56;

/** Each method's repeats as dots between the smallest and the largest of all. */
function strips({ ratio, found }: RatioFindings): string {
  const all = found.flatMap(({ values }) => values);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const scale = fine(low) + fine(high).padStart(STRIP_COLUMNS - fine(low).length);
  const lines = found.map(({ method, values }) => line(`  ${method}`, strip(values, low, high)));
  return [line(LABELS[ratio], scale), ...lines].join('\n');
}

const NAME_COLUMNS = 2 + Math.max(...Object.values(LABELS).map(({ length }) => length));

function line(name: string, text: string): string {
  return name.padEnd(NAME_COLUMNS) + text;
}

/** A dot for each value, or their number where several fall on one place. */
function strip(values: number[], low: number, high: number): string {
  const places = values.map((value) => {
    return high === low ? 0 : Math.round(((value - low) / (high - low)) * (STRIP_COLUMNS - 1));
  });
  return Array.from({ length: Math.max(...places) + 1 }, (_, place) => {
    const here = places.filter((each) => each === place).length;
    if (here === 0) return ' ';
    return here === 1 ? '•' : String(here);
  }).join('');
}

/** A ratio near 1, with the digits in which repeats differ. */
function fine(value: number): string {
  return value.toFixed(3);
}
