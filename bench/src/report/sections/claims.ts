import {
  type ClaimRow,
  type ClaimTable,
  type ComparisonRow,
  type Place,
  type PublishedValue,
  sizeOf,
} from '../../summary/claims.ts';
import type { Block, Section } from '../document.ts';
import { NONE, number, plusMinus, ratio, ratioRange } from '../format.ts';
import { rowName, topologyName } from '../names.ts';
import { Notes } from '../notes.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

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
  if (isShort) return [section(HEADING, [...claimTable(claims), ...foot])];
  const notes = new Notes(
    comparisons.map((row) => ({ label: comparisonName(row), flags: row.flags })),
  );
  const columns = [...COMPARED, ...notes.column<ComparisonRow>('', ({ flags }) => flags)];
  const blocks: Block[] = [
    ...claimTable(claims),
    ...claims.map(claimText),
    ...(comparisons.length === 0
      ? []
      : [tableOf({ head: 'what', cell: comparisonName }, columns, comparisons), ...notes.blocks()]),
    ...(values.length === 0
      ? []
      : [tableOf({ head: 'target', cell: ({ place }) => placeName(place) }, VALUES, values)]),
    ...foot,
  ];
  return [section(HEADING, blocks, notes.codes)];
}

const HEADING = 'Published beside measured';

function claimTable(claims: readonly ClaimRow[]): Block[] {
  if (claims.length === 0) return [];
  const columns: Column<ClaimRow>[] = [
    { group: 'outcome', head: 'here', text: true, cell: ({ outcome }) => outcome },
    {
      group: 'outcome',
      head: 'by',
      text: true,
      cell: ({ rows, reason }) => {
        return (
          rows.map(({ comparison }) => ratioRange(comparison.ratio)).join(', ') || (reason ?? NONE)
        );
      },
    },
  ];
  return [tableOf({ head: 'claim', cell: ({ label }: ClaimRow) => label }, columns, claims)];
}

function claimText({ label, claim, because }: ClaimRow): Block {
  return paragraph(`${label}: “${claim}”${because === null ? '' : `: ${because}`}.`);
}

const COMPARED: Column<ComparisonRow>[] = [
  { group: 'what', head: 'figure', text: true, cell: ({ declared }) => figureText(declared) },
  { group: 'what', head: 'load', text: true, cell: ({ of, over }) => loadText(of, over) },
  {
    group: 'ratio',
    head: 'published',
    cell: ({ declared: { published } }) => (published === undefined ? NONE : ratio(published)),
  },
  { group: 'ratio', head: 'here', cell: ({ comparison }) => ratioRange(comparison.ratio) },
  { group: 'ratio', head: 'verdict', text: true, cell: ({ comparison }) => sizeOf(comparison) },
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
  { group: 'what', head: 'load', text: true, cell: ({ place }) => place.load.id },
  {
    group: 'what',
    head: 'figure',
    text: true,
    cell: ({ figure }) => {
      const [name, unit] = FIGURES[figure];
      return unit === null ? name : `${name}, ${unit}`;
    },
  },
  { group: 'value', head: 'published', cell: ({ published }) => number(published) },
  {
    group: 'value',
    head: 'here',
    cell: ({ measured, figure }) => plusMinus(measured, FIGURES[figure][2]),
  },
];

/** Which figure is compared, and whose. */
export function figureText({ figure, role }: ComparisonRow['declared']): string {
  if (figure !== 'cpu') return FIGURES[figure][0];
  return role === 'total' ? 'CPU in all' : 'CPU';
}

/** What is compared, in words. */
export function comparisonName({ declared, of, over }: ComparisonRow): string {
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
