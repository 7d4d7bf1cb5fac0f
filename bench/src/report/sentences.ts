import type { Overhead, PublishedComparison, TopologyComparison } from '../comparisons.ts';
import type { Condition } from '../conditions.ts';
import type { Figures } from '../figures.ts';
import { pointOf } from '../statistics.ts';
import {
  count,
  number,
  percent,
  plural,
  plusMinus,
  ratio,
  ratioRange,
  signedPlusMinus,
} from './format.ts';
import { topologyName } from './names.ts';

/** What a table of one topology under one load shows, in plain words. */
export function conditionSentence(condition: Condition, contiguous: boolean): string {
  const measured = condition.cells.flatMap(({ target, outcome }) => {
    return outcome.state === 'measured' ? [{ label: target.label, figures: outcome.figures }] : [];
  });
  const [most] = measured;
  const least = measured.at(-1);
  if (most === undefined || least === undefined) return 'Nothing was measured here.';
  const sentences = [
    most === least ? alone(most) : extremes(most, least),
    ...(contiguous ? [unanswered(measured)] : []),
    ...(condition.topology.cores === null
      ? [
          'Server and generator share all cores here, so the generator takes part of what it measures.',
        ]
      : []),
  ];
  return sentences.join(' ');
}

interface Labelled {
  label: string;
  figures: Figures;
}

function alone({ label, figures: { throughput, cpuPerRequest } }: Labelled): string {
  if (!pointOf(throughput)) return `${label} answered nothing.`;
  return `${label} answered ${plusMinus(throughput)} requests/s, for ${plusMinus(cpuPerRequest, 1000)} µs of CPU each.`;
}

function extremes(most: Labelled, least: Labelled): string {
  const high = pointOf(most.figures.throughput) ?? 0;
  const low = pointOf(least.figures.throughput) ?? 0;
  if (high === 0) return 'Nobody answered anything.';
  return (
    `${most.label} answered the most, ${number(high)} requests/s; ` +
    `${least.label} the fewest, ${number(low)}, which is ${ratio(low / high)} times as many.`
  );
}

function unanswered(measured: Labelled[]): string {
  const ok = measured.reduce((sum, { figures }) => sum + figures.answered.ok, 0);
  const sent = measured.reduce((sum, { figures }) => sum + figures.answered.sent, 0);
  if (sent === 0) return 'Nothing was sent.';
  return (
    `Of ${count(sent)} requests sent, ${count(ok)} were answered (${percent(ok / sent)}): ` +
    'the latencies are those of the answered ones alone, and say nothing of the others.'
  );
}

/** What the table of overheads shows. */
export function overheadSentence(rows: Overhead[]): string {
  const dearest = rows.reduce((most, row) => {
    return (pointOf(row.cpuNs) ?? 0) > (pointOf(most.cpuNs) ?? 0) ? row : most;
  });
  if ((pointOf(dearest.cpuNs) ?? 0) <= 0)
    return 'No step here costs more CPU than what it is built on.';
  return (
    `Each request costs a server on ${dearest.target.label} ${signedPlusMinus(dearest.cpuNs, 1000)} µs of CPU ` +
    `over ${dearest.over.label}, the most of all steps here. ` +
    'A step whose interval holds 0 may cost nothing.'
  );
}

/** What the table of topologies shows. */
export function topologySentence(rows: TopologyComparison[]): string {
  const ups = rows.flatMap(({ target, entries }) =>
    entries.flatMap(({ topology, speedUp }) => {
      return topology.workers === null || speedUp.kind === 'none'
        ? []
        : [{ target, topology, speedUp }];
    }),
  );
  const best = ups.reduce<(typeof ups)[number] | null>((most, each) => {
    return most === null || each.speedUp.value > (pointOf(most.speedUp) ?? 0) ? each : most;
  }, null);
  if (best === null) return 'There is no single process to compare the clusters with.';
  if (best.speedUp.value <= 1) {
    return (
      'No target answered more requests/s as a cluster than as one process; the best of them, ' +
      `${best.target.label} as ${topologyName(best.topology)}, reached ${ratioRange(best.speedUp)} times as many.`
    );
  }
  return (
    `${best.target.label} gained the most from more processes: ` +
    `${ratioRange(best.speedUp)} times the requests/s of one process as ${topologyName(best.topology)}.`
  );
}

/** What the table of published figures shows. */
export function publishedSentence(rows: PublishedComparison[]): string {
  const far = rows.filter(({ published, measured }) => {
    const value = pointOf(measured);
    return value !== null && Math.abs(Math.log(value / published)) > Math.log(1.1);
  });
  if (far.length === 0) return 'Every published ratio is within 10 % of what was measured here.';
  const are = far.length === 1 ? 'is' : 'are';
  return `Of ${plural(rows.length, 'published ratio')}, ${far.length} ${are} more than 10 % away from what was measured here.`;
}
