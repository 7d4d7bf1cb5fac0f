import { type Figures, headlineIn, headlineOf } from '../../figures/figures.ts';
import { pointOf } from '../../math/statistics.ts';
import type { Condition } from '../../summary/conditions.ts';
import { count, list, percent, plusMinus, ratio } from '../format.ts';

/** What a table of one topology under one load shows, in plain words. */
export function conditionSentence(condition: Condition): string {
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
    ...(condition.load.method === 'contiguous' ? [unanswered(measured)] : []),
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
  const { better } = headlineOf(load);
  const [high, low] = [best, last].map(({ figures }) => pointOf(headlineIn(figures, load)));
  if (!high || low == null) return 'Nobody answered anything.';
  const leaders = measured.filter(({ place }) => place === 1).map(({ label }) => label);
  const tie = leaders.length > 1 ? ` ${list(leaders)} can't be told apart.` : '';
  const words =
    better === 'less'
      ? `${best.label} used the least CPU; ${last.label} ${ratio(low / high)} times as much.`
      : `${best.label} answered the most requests/s; ${last.label} ${ratio(low / high)} times as many.`;
  return words + tie;
}

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
