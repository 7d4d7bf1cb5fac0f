import type { Plan } from '../plan/plan.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type {
  Overhead,
  OverheadTable,
  PublishedComparison,
  PublishedTable,
  TopologyComparison,
  TopologyTable,
} from '../summary/comparisons.ts';
import { NONE, plusMinus, ratio, ratioRange, signedPlusMinus } from './format.ts';
import { conditionName, loadName, topologyName } from './names.ts';
import { Notes } from './notes.ts';
import { section } from './section.ts';
import { overheadSentence, publishedSentence, topologySentence } from './sentences.ts';
import { type Column, type Look, renderTable } from './table.ts';

/** What each target costs more than what it is built on. */
export function overheadTable({ rows, condition }: OverheadTable, look: Look): string {
  const notes = new Notes(rows.map(({ target, flags }) => ({ label: target.label, flags })));
  const columns: Column<Overhead>[] = [
    { group: '', head: 'over', text: true, cell: ({ over }) => over.label },
    {
      group: '',
      head: 'CPU µs/request more',
      cell: ({ cpuNs }) => signedPlusMinus(cpuNs, 1000),
    },
    { group: '', head: 'times', cell: ({ comparison }) => ratioRange(comparison.ratio) },
    { group: '', head: 'verdict', text: true, cell: ({ comparison }) => comparison.verdict },
    ...notes.column<Overhead>('', ({ flags }) => flags),
  ];
  const name = { head: 'target', cell: ({ target }: Overhead) => target.label };
  const table = renderTable(name, columns, rows, look);
  const heading = `Overhead, read ${conditionName(condition)}`;
  return section(heading, table, overheadSentence(rows), look, notes.text(look));
}

/** Each target through all topologies. */
export function topologyTable({ rows, load }: TopologyTable, look: Look): string {
  const topologies = rows[0]?.entries.map(({ topology }) => topology) ?? [];
  const columns = topologies.flatMap((topology): Column<TopologyComparison>[] => {
    const name = topologyName(topology);
    const pick = (cell: (entry: TopologyComparison['entries'][number]) => string) => {
      return ({ entries }: TopologyComparison) => {
        const entry = entries.find((each) => each.topology.id === topology.id);
        return entry ? cell(entry) : NONE;
      };
    };
    return [
      {
        group: name,
        head: `${name}\nrequests/s`,
        cell: pick(({ throughput }) => plusMinus(throughput)),
      },
      {
        group: name,
        head: 'CPU\nµs/request',
        cell: pick(({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
      },
      ...(isPlain(topology)
        ? []
        : [
            {
              group: name,
              head: 'speed-up over\nsingle',
              cell: pick(({ speedUp }) => (speedUp ? ratioRange(speedUp.ratio) : NONE)),
            },
            {
              group: name,
              head: 'verdict',
              text: true as const,
              cell: pick(({ speedUp }) => speedUp?.verdict ?? NONE),
            },
          ]),
    ];
  });
  const name = { head: 'target', cell: ({ target }: TopologyComparison) => target.label };
  const table = renderTable(name, columns, rows, look);
  return section(`Topologies, ${loadName(load)}`, table, topologySentence(rows), look);
}

/** Published ratios beside the measured ones. */
export function publishedTable(table: PublishedTable, plan: Plan, look: Look): string {
  const { rows, load, source, cpu } = table;
  const columns: Column<PublishedComparison>[] = [
    { group: '', head: 'published', cell: ({ published }) => ratio(published) },
    { group: '', head: 'measured here', cell: ({ measured }) => ratioRange(measured) },
  ];
  const cell = (row: PublishedComparison) => comparisonName(row, plan.topologies);
  const rendered = renderTable({ head: 'requests/s, ratio of', cell }, columns, rows, look);
  const text = `${publishedSentence(rows)} ${source}, on ${cpu}.`;
  return section(`Published beside measured, ${loadName(load)}`, rendered, text, look);
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
