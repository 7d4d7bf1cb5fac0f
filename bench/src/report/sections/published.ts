import { pointOf } from '../../math/statistics.ts';
import type { Topology } from '../../plan/topology.ts';
import type { PublishedComparison, PublishedTable } from '../../summary/comparisons.ts';
import type { Section } from '../document.ts';
import { ratio, ratioRange } from '../format.ts';
import { loadName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

/** Published ratios beside the measured ones; `topologies` are those of the plan. */
export function publishedSection(
  { rows, load, source, cpu }: PublishedTable,
  topologies: Topology[],
): Section {
  const columns: Column<PublishedComparison>[] = [
    { group: '', head: 'published', cell: ({ published }) => ratio(published) },
    { group: '', head: 'measured here', cell: ({ measured }) => ratioRange(measured) },
  ];
  const cell = (row: PublishedComparison) => comparisonName(row, topologies);
  return section(`Published beside measured, ${loadName(load)}`, [
    tableOf({ head: 'requests/s, ratio of', cell }, columns, rows),
    paragraph(`${publishedSentence(rows)} ${source}, on ${cpu}.`),
  ]);
}

function comparisonName(
  { target, topology, base }: PublishedComparison,
  topologies: Topology[],
): string {
  const nameOf = (name: string) => {
    const here = topologies.find(({ names }) => names.includes(name))?.id ?? name;
    return here === name ? name : `${name} = ${here}`;
  };
  if (target !== base.target) return `${target.label} to ${base.target.label}`;
  return `${target.label}: ${nameOf(topology)} to ${nameOf(base.topology)}`;
}

/** What the table of published figures shows. */
export function publishedSentence(rows: PublishedComparison[]): string {
  const far = rows.filter(({ published, measured }) => {
    const value = pointOf(measured);
    return value !== null && Math.abs(Math.log(value / published)) > Math.log(1.1);
  });
  const [where, many] = ['what was measured here', rows.length > 1];
  if (far.length === 0) {
    return `${many ? 'Every' : 'The'} published ratio is within 10 % of ${where}.`;
  }
  const which = many ? `Of ${rows.length} published ratios, ${far.length}` : 'The published ratio';
  return `${which} ${far.length === 1 ? 'is' : 'are'} more than 10 % away from ${where}.`;
}
