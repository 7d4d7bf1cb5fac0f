import {
  type ClaimRow,
  type ClaimTable,
  type ComparisonRow,
  type Place,
  type PublishedValue,
  sizeOf,
} from '../../summary/claims.ts';
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
  words('outcome', 'by', ({ rows, reason }) => {
    return rows.map(({ comparison }) => ratioRange(comparison.ratio)).join(', ') || reason;
  }),
];

function claimText({ label, claim, because }: ClaimRow): Block {
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

/** What a figure is called, and the unit that it is published and shown in, of so many base units. */
const FIGURES: Record<
  PublishedValue['figure'],
  [name: string, unit: string | null, scale: number]
> = {
  throughput: ['requests/s', null, 1],
  cpu: ['CPU', 'µs', 1e3],
  mean: ['mean latency', 'ms', 1e6],
  p50: ['p50', 'ms', 1e6],
  p75: ['p75', 'ms', 1e6],
  p95: ['p95', 'ms', 1e6],
  p99: ['p99', 'ms', 1e6],
  max: ['longest', 'ms', 1e6],
  'peak memory': ['peak memory', 'MB', 1e6],
  memory: ['memory under load', 'MB', 1e6],
  'memory at start': ['memory at start', 'MB', 1e6],
};

const VALUES: Column<PublishedValue>[] = [
  words('what', 'load', ({ place }) => place.load.id),
  words('what', 'figure', ({ figure }) => {
    const [name, unit] = FIGURES[figure];
    return unit === null ? name : `${name}, ${unit}`;
  }),
  amount('value', 'published', ({ published }) => number(published)),
  amount('value', 'here', ({ measured, figure }) => plusMinus(measured, FIGURES[figure][2])),
];

/** Which figure is compared, and whose. */
function figureText({ figure, role }: ComparisonRow['declared']): string {
  if (figure !== 'cpu') return FIGURES[figure][0];
  return role === 'total' ? 'CPU in all' : 'CPU';
}

/** What is compared, in words. */
function comparisonName({ declared, of, over }: ComparisonRow): string {
  if (declared.label !== undefined) return declared.label;
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
