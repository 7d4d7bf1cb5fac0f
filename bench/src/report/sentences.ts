import { type Figures, headlineOf } from '../figures/figures.ts';
import { pointOf } from '../math/statistics.ts';
import type { Overhead, PublishedComparison, TopologyComparison } from '../summary/comparisons.ts';
import type { Condition } from '../summary/conditions.ts';
import {
  count,
  microseconds,
  number,
  percent,
  plusMinus,
  ratio,
  ratioRange,
  signedPlusMinus,
} from './format.ts';
import { topologyName } from './names.ts';

/** What a table of one topology under one load shows, in plain words. */
export function conditionSentence(condition: Condition, contiguous: boolean): string {
  const measured = condition.cells.flatMap(({ target, outcome, rank }) => {
    if (outcome.state !== 'measured' || rank === null) return [];
    return [{ label: target.label, figures: outcome.figures, place: rank.place }];
  });
  const [best] = measured;
  const last = measured.at(-1);
  if (best === undefined || last === undefined) {
    const any = condition.cells.some(({ outcome }) => outcome.state === 'measured');
    return any ? 'No figure here is valid.' : 'Nothing was measured here.';
  }
  const sentences = [
    best === last ? alone(best) : extremes(measured, best, last, condition),
    ...(contiguous ? [unanswered(measured)] : []),
  ];
  return sentences.join(' ');
}

interface Labelled {
  label: string;
  figures: Figures;
  place: number;
}

function alone({ label, figures: { throughput, cpuPerRequest } }: Labelled): string {
  if (!pointOf(throughput)) return `${label} answered nothing.`;
  return `${label} answered ${plusMinus(throughput)} requests/s, for ${plusMinus(cpuPerRequest, 1000)} µs of CPU each.`;
}

function extremes(
  measured: Labelled[],
  best: Labelled,
  last: Labelled,
  { load }: Condition,
): string {
  const { better, ofFigures } = headlineOf(load);
  const [high, low] = [pointOf(ofFigures(best.figures)), pointOf(ofFigures(last.figures))];
  if (!high || low === null) return 'Nobody answered anything.';
  const leaders = measured.filter(({ place }) => place === 1).map(({ label }) => label);
  const tie = leaders.length > 1 ? ` ${list.format(leaders)} can't be told apart.` : '';
  const words =
    better === 'less'
      ? `${best.label} used the least CPU, ${microseconds(high)} µs a request; ${last.label} the most, ${microseconds(low)} µs, which is ${ratio(low / high)} times as much.`
      : `${best.label} answered the most, ${number(high)} requests/s; ${last.label} the fewest, ${number(low)}, which is ${ratio(low / high)} times as many.`;
  return words + tie;
}

const list = new Intl.ListFormat('en-GB');

function unanswered(measured: Labelled[]): string {
  const ok = measured.reduce((sum, { figures }) => sum + figures.answered.ok, 0);
  const sent = measured.reduce((sum, { figures }) => sum + figures.answered.sent, 0);
  if (sent === 0) return 'Nothing was sent.';
  if (ok === sent) return 'Every request was answered.';
  return (
    `Of ${count(sent)} requests sent, ${count(ok)} were answered (${percent(ok / sent)}): ` +
    'in the latency, one without an answer counts as longer than it had waited.'
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
      return speedUp === null || speedUp.ratio.kind === 'none'
        ? []
        : [{ target, topology, speedUp: speedUp.ratio, verdict: speedUp.verdict }];
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
  const [where, many] = ['what was measured here', rows.length > 1];
  if (far.length === 0) {
    return `${many ? 'Every' : 'The'} published ratio is within 10 % of ${where}.`;
  }
  const which = many ? `Of ${rows.length} published ratios, ${far.length}` : 'The published ratio';
  return `${which} ${far.length === 1 ? 'is' : 'are'} more than 10 % away from ${where}.`;
}
