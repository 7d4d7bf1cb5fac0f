import { pointOf } from '../../math/statistics.ts';
import { isPlain, type Topology } from '../../plan/topology.ts';
import type { TopologyComparison, TopologyTable } from '../../summary/comparisons.ts';
import type { Section } from '../document.ts';
import { plusMinus, ratioRange } from '../format.ts';
import { loadName, rowName, topologyName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { amount, type Column, tableOf } from '../tabulate.ts';
import { comparisonColumns, TARGET } from './columns.ts';

/** Requests/s of each target in all topologies. */
export function topologySection({ rows, load }: TopologyTable): Section {
  // Not every target runs in all of them.
  const all = rows.flatMap(({ entries }) => entries.map(({ topology }) => topology));
  const topologies = [...new Map(all.map((topology) => [topology.id, topology])).values()];
  const columns = topologies.flatMap(topologyColumns);
  return section(`Topologies, ${loadName(load)}`, [
    tableOf(TARGET, columns, rows),
    paragraph(gainText(rows)),
  ]);
}

function topologyColumns(topology: Topology): Column<TopologyComparison>[] {
  const group = topologyName(topology);
  const entryOf = ({ entries }: TopologyComparison) => {
    return entries.find((each) => each.topology.id === topology.id);
  };
  const { times, verdict } = comparisonColumns<TopologyComparison>(group, (row) => {
    return entryOf(row)?.speedUp;
  });
  return [
    amount(group, `${group}\nrequests/s`, (row) => plusMinus(entryOf(row)?.throughput)),
    ...(isPlain(topology) ? [] : [times('speed-up over\nsingle'), verdict()]),
  ];
}

/** The cluster with the largest speed-up over a single process. */
function gainText(rows: readonly TopologyComparison[]): string {
  const gains = rows.flatMap(({ target, entries }) => {
    return entries.flatMap(({ topology, speedUp }) => {
      const times = speedUp && pointOf(speedUp.ratio);
      return speedUp && times !== null ? [{ target, topology, speedUp, times }] : [];
    });
  });
  const faster = gains.filter(({ speedUp }) => speedUp.verdict === 'faster');
  const [best] = (faster.length > 0 ? faster : gains).toSorted((a, b) => b.times - a.times);
  if (best === undefined) return 'There is no single process to compare the clusters with.';
  const name = rowName(best.target, best.topology);
  const times = ratioRange(best.speedUp.ratio);
  return faster.length > 0
    ? `${name} gains the most: ${times} times the requests/s.`
    : `No cluster is shown to be faster; the best is ${name}: ${times} times.`;
}
