import { pointOf } from '../../math/statistics.ts';
import { isPlain, type Topology } from '../../plan/topology.ts';
import type { TopologyComparison, TopologyTable } from '../../summary/comparisons.ts';
import type { Section } from '../document.ts';
import { NONE, plusMinus, ratioRange } from '../format.ts';
import { loadName, topologyName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

/** Each target through all topologies. */
export function topologySection({ rows, load }: TopologyTable): Section {
  // Not every target runs in all of them.
  const all = rows.flatMap(({ entries }) => entries.map(({ topology }) => topology));
  const topologies = [...new Map(all.map((topology) => [topology.id, topology])).values()];
  const name = { head: 'target', cell: ({ target }: TopologyComparison) => target.label };
  return section(`Topologies, ${loadName(load)}`, [
    tableOf(name, topologies.flatMap(topologyColumns), rows),
    paragraph(topologySentence(rows)),
  ]);
}

function topologyColumns(topology: Topology): Column<TopologyComparison>[] {
  const group = topologyName(topology);
  const pick = (cell: (entry: TopologyComparison['entries'][number]) => string) => {
    return ({ entries }: TopologyComparison) => {
      const entry = entries.find((each) => each.topology.id === topology.id);
      return entry ? cell(entry) : NONE;
    };
  };
  return [
    {
      group,
      head: `${group}\nrequests/s`,
      cell: pick(({ throughput }) => plusMinus(throughput)),
    },
    ...(isPlain(topology)
      ? []
      : [
          {
            group,
            head: 'speed-up over\nsingle',
            cell: pick(({ speedUp }) => (speedUp ? ratioRange(speedUp.ratio) : NONE)),
          },
          {
            group,
            head: 'verdict',
            text: true as const,
            cell: pick(({ speedUp }) => speedUp?.verdict ?? NONE),
          },
        ]),
  ];
}

/** What the table of topologies shows. */
export function topologySentence(rows: TopologyComparison[]): string {
  const ups = rows.flatMap(({ target, entries }) =>
    entries.flatMap(({ topology, speedUp }) => {
      return speedUp === null || speedUp.ratio.kind === 'none'
        ? []
        : [{ target, topology, speedUp: speedUp.ratio, verdict: speedUp.verdict }];
    }),
  );
  const faster = ups.filter(({ verdict }) => verdict === 'faster');
  const best = (faster.length > 0 ? faster : ups).reduce<(typeof ups)[number] | null>(
    (most, each) => {
      return most === null || each.speedUp.value > (pointOf(most.speedUp) ?? 0) ? each : most;
    },
    null,
  );
  if (best === null) return 'There is no single process to compare the clusters with.';
  const { label } = best.target;
  const as = topologyName(best.topology);
  const times = ratioRange(best.speedUp);
  return faster.length > 0
    ? `${label} gained the most from more processes: ${times} times the requests/s as ${as}.`
    : `No cluster is shown to be faster; the best is ${label} as ${as}: ${times} times.`;
}
