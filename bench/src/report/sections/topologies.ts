import { pointOf } from '../../math/statistics.ts';
import { isPlain, type Topology } from '../../plan/topology.ts';
import type { TopologyComparison, TopologyTable } from '../../summary/comparisons.ts';
import type { Section } from '../document.ts';
import { plusMinus, ratioRange } from '../format.ts';
import { loadName, topologyName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { amount, type Column, tableOf } from '../tabulate.ts';
import { comparisonColumns } from './comparison-columns.ts';

/** Each target through all topologies. */
export function topologySection({ rows, load }: TopologyTable): Section {
  // Not every target runs in all of them.
  const all = rows.flatMap(({ entries }) => entries.map(({ topology }) => topology));
  const topologies = [...new Map(all.map((topology) => [topology.id, topology])).values()];
  const columns = topologies.flatMap(topologyColumns);
  return section(`Topologies, ${loadName(load)}`, [
    tableOf(['target', ({ target }) => target.label], columns, rows),
    paragraph(topologySentence(rows)),
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

/** What the table of topologies shows. */
export function topologySentence(rows: readonly TopologyComparison[]): string {
  const ups = rows.flatMap(({ target: { label }, entries }) =>
    entries.flatMap(({ topology, speedUp }) => {
      const value = speedUp && pointOf(speedUp.ratio);
      if (!speedUp || value === null) return [];
      return [{ ...speedUp, label, as: topologyName(topology), value }];
    }),
  );
  const faster = ups.filter(({ verdict }) => verdict === 'faster');
  const [best] = (faster.length > 0 ? faster : ups).toSorted((a, b) => b.value - a.value);
  if (best === undefined) return 'There is no single process to compare the clusters with.';
  const { label, as } = best;
  const times = ratioRange(best.ratio);
  return faster.length > 0
    ? `${label} gained the most from more processes: ${times} times the requests/s as ${as}.`
    : `No cluster is shown to be faster; the best is ${label} as ${as}: ${times} times.`;
}
