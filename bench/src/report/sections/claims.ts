import {
  type ClaimRow,
  type ClaimTable,
  type ComparisonRow,
  type Place,
  type PublishedValue,
  sizeOf,
} from '../../summary/claims.ts';
import { SCALES } from '../../summary/named-figures.ts';
import { runtimeName } from '../../targets/runtime.ts';
import type { JudgedName } from '../../workload/declaration.ts';
import type { Block, Section } from '../document.ts';
import { intervalColumn, onPage } from '../drawings.ts';
import { number, plusMinus, ratio, ratioRange } from '../format.ts';
import { rowName, topologyName } from '../names.ts';
import { flaggedTable, paragraph, section } from '../section.ts';
import { amount, type Column, tableOf, words } from '../tabulate.ts';

/**
 * What became of what was published: each claim; and, unless that is to be all, what it was judged by, and the
 * published values beside ours.
 */
export function claimSections(
  { claims, comparisons, values, source, machine }: ClaimTable,
  { note = null, isShort = false }: { note?: string | null; isShort?: boolean } = {},
): Section[] {
  if (comparisons.length === 0 && values.length === 0) return [];
  const about = source === null ? [] : [`Published: ${source}, on ${machine}.`];
  const text = [...about, note ?? []].flat().join(' ');
  const foot = text === '' ? [] : [paragraph(text)];
  const table =
    claims.length === 0 ? [] : [tableOf(['claim', ({ label }) => label], OUTCOMES, claims)];
  if (isShort) return [section(HEADING, [...table, ...foot])];
  const compared = flaggedTable({
    name: ['what', comparisonName],
    columns: [
      ...COMPARED,
      onPage(
        intervalColumn('ratio', 'from 1 on', {
          ...{ rows: comparisons, scale: 'log', base: 1 },
          of: ({ comparison }) => comparison.ratio,
          mark: ({ declared }) => declared.published,
        }),
      ),
      words<ComparisonRow>('ratio', 'verdict', ({ comparison }) => sizeOf(comparison)),
    ],
    rows: comparisons,
    flagsOf: ({ flags }) => flags,
  });
  const blocks: Block[] = [
    ...table,
    ...claims.map(claimText),
    ...(comparisons.length === 0 ? [] : compared.blocks),
    ...(values.length === 0
      ? []
      : [tableOf(['target', ({ place }) => placeName(place)], VALUES, values)]),
    ...foot,
  ];
  return [section(HEADING, blocks, compared.codes)];
}

const HEADING = 'Published beside measured';

const OUTCOMES: Column<ClaimRow>[] = [
  words('outcome', 'here', ({ outcome }) => outcome),
  words(
    'outcome',
    'by',
    (row) => (row.outcome === 'not measured' ? null : measuredText(row)) || row.reason,
  ),
];

/** What a claim was judged by; figures are named where there are several, or others than the published ones. */
export function measuredText({ rows, values, isByOther }: ClaimRow): string {
  const differ = isByOther || new Set(rows.map(({ declared }) => declared.figure)).size > 1;
  return [
    ...rows.map(({ comparison, declared, runtime }) => {
      const figure = differ ? ` (${figureText(declared)})` : '';
      return `${ratioRange(comparison.ratio)}${figure}${onRuntime(runtime)}`;
    }),
    ...values.map(({ measured, declared, runtime }) => {
      const { figure } = declared;
      return `${plusMinus(measured, SCALES[figure])} ${unitOf(figure)}${onRuntime(runtime)}`.trim();
    }),
  ].join(', ');
}

/** What of it was published. */
export function publishedText({ published: { ratios, values } }: ClaimRow): string {
  return [
    ...new Set(ratios.map(ratio)),
    ...new Set(values.map(({ value, figure }) => `${value} ${unitOf(figure)}`)),
  ].join(', ');
}

function onRuntime(runtime: ComparisonRow['runtime']): string {
  return runtime === null ? '' : ` on ${runtimeName(runtime)}`;
}

/** A claim in the words of its source, and why it is judged so. */
export function claimText({ label, claim, because }: ClaimRow): Block {
  return paragraph(`${label}: “${claim}”${because === null ? '' : `: ${because}`}.`);
}

const COMPARED: Column<ComparisonRow>[] = [
  words('what', 'figure', ({ declared }) => figureText(declared)),
  words('what', 'load', ({ of, over }) => loadText(of, over)),
  amount('ratio', 'published', ({ declared: { published } }) => {
    return published === undefined ? null : ratio(published);
  }),
  amount('ratio', 'here', ({ comparison }) => ratioRange(comparison.ratio)),
];

/** What a figure is called, and the unit that it is published and shown in. */
const FIGURES: Record<JudgedName, [name: string, unit: string | null]> = {
  throughput: ['requests/s', null],
  cpu: ['CPU', 'µs'],
  mean: ['mean latency', 'ms'],
  min: ['shortest', 'ms'],
  'mean of answers': ['mean latency of those answered', 'ms'],
  p50: ['p50', 'ms'],
  p75: ['p75', 'ms'],
  p95: ['p95', 'ms'],
  p99: ['p99', 'ms'],
  max: ['longest', 'ms'],
  'peak memory': ['peak memory', 'MB'],
  memory: ['memory under load', 'MB'],
  'memory at start': ['memory at start', 'MB'],
  waiting: ['waiting for a core', 'µs'],
  'voluntary switches': ['voluntary switches a request', null],
  'involuntary switches': ['involuntary switches a request', null],
  'page faults': ['page faults a request', null],
  requests: ['requests', null],
  bytes: ['read', 'MB'],
  errors: ['errors', null],
  'error share': ['errors', '%'],
};

function unitOf(figure: JudgedName): string {
  return FIGURES[figure][1] ?? '';
}

const VALUES: Column<PublishedValue>[] = [
  words('what', 'load', ({ place }) => place.load.id),
  words('what', 'figure', ({ declared: { figure, inS } }) => {
    const [name, unit] = FIGURES[figure];
    const time = inS === undefined ? '' : ` in ${inS} s`;
    return unit === null ? `${name}${time}` : `${name}${time}, ${unit}`;
  }),
  amount('value', 'published', ({ declared }) => number(declared.value)),
  amount('value', 'here', ({ measured, declared: { figure } }) => {
    return plusMinus(measured, SCALES[figure]);
  }),
];

/** Which figure is compared, and whose. */
function figureText({ figure, role }: ComparisonRow['declared']): string {
  if (figure !== 'cpu') return FIGURES[figure][0];
  return role === 'total' ? 'CPU in all' : 'CPU';
}

/** What is compared, in words. */
function comparisonName({ declared, runtime, of, over }: ComparisonRow): string {
  if (declared.label !== undefined) return `${declared.label}${onRuntime(runtime)}`;
  const [own, base] = [of, over].map(({ summary }) => summary.target);
  if (own !== base) return `${own?.label} over ${base?.label}`;
  return `${own?.label}: ${topologyName(of.topology)} over ${topologyName(over.topology)}`;
}

function loadText(of: Place, over: Place): string {
  return [...new Set([of, over].map(({ load }) => load.id))].join(', ');
}

function placeName({ summary, topology }: Place): string {
  return rowName(summary.target, topology);
}
