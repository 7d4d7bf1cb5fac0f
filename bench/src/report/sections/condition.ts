import { sum } from 'simple-statistics';
import { type Figures, headlineOf } from '../../figures/figures.ts';
import { pointOf } from '../../math/statistics.ts';
import type { Manager } from '../../plan/topology.ts';
import type { CellSummary, Condition, RankedPair } from '../../summary/summary.ts';
import { type Section, words } from '../document.ts';
import { count, list, megabytes, percent, plusMinus, ratio, ratioRange } from '../format.ts';
import { conditionName } from '../names.ts';
import { cellSection } from '../section.ts';
import { cpu, figure, latency, leading, memory, serviceColumns, throughput } from './columns.ts';

/** The main table of a topology under a load, with a row for each target; with details it has every figure. */
export function conditionSection(condition: Condition, details: boolean): Section {
  return cellSection(conditionName(condition), {
    columns: conditionColumns(condition, details),
    rows: condition.cells,
    flagGroup: 'volume',
    text: [
      ...conditionText(condition),
      details || isFailing(condition) ? null : 'No errors, no time-outs.',
    ],
  });
}

function conditionColumns(condition: Condition, details: boolean) {
  const { load, topology, cells } = condition;
  const services = serviceColumns(cells, 'volume');
  const keeper = keeperOf(topology.manager);
  const hasFloor = cells.some(({ figures }) => floorOf(figures) !== null);
  return [
    ...(cells.length > 1 ? [RANK] : []),
    leading(throughput('rate')),
    cpu('rate'),
    ...services.cpu,
    ...(hasFloor ? [figure('rate', '× the\nfloor', floorOf)] : []),
    ...(load.method === 'contiguous' ? [ANSWERED] : []),
    ...(details ? TIMES : [latency('p50'), latency('p99')]),
    ...(details ? VOLUME : []),
    ...(details || isFailing(condition) ? FAILURES : []),
    memory('volume', 'PSS\nMB', 'server'),
    ...services.memory,
    ...(keeper === null ? [] : [memory('volume', `${keeper}\nMB`, 'manager')]),
  ];
}

/** The process whose memory is shown next to the server's; null without one. */
function keeperOf(manager: Manager): string | null {
  if (manager.startsWith('pm2')) return 'pm2';
  return manager === 'node:cluster' ? 'primary' : null;
}

/** Ranks with ties: `1`, `2=`, `2=`, `4`. */
const RANK = words<CellSummary>('rate', 'rank', ({ rank }) => {
  return rank && `${rank.place}${rank.tied ? '=' : ''}`;
});

function floorOf(figures: Figures | null): string | null {
  const times = pointOf(figures?.timesFloor);
  return times === null ? null : ratio(times);
}

const ANSWERED = figure('latency', 'answered', ({ answered: { ok, sent } }) => {
  return `${count(ok)} of ${count(sent)}`;
});

const TIMES = [
  latency('mean', 'average\nms'),
  latency('p50'),
  latency('p97_5', 'p97.5\nms'),
  latency('p99'),
  latency('max'),
];

const VOLUME = [
  figure('volume', 'total\n2xx', ({ ok }) => count(ok)),
  figure('volume', 'read\nMB', ({ bytes }) => megabytes(bytes)),
  figure('volume', 'bytes/\nresponse', ({ bytesPerResponse }) => count(bytesPerResponse)),
];

const FAILURES = [
  figure('volume', 'errors', ({ errors }) => count(errors)),
  figure('volume', 'time-\nouts', ({ timeouts }) => count(timeouts)),
];

function isFailing({ cells }: Condition): boolean {
  return cells.some(({ figures }) => {
    return figures === null || figures.errors > 0 || figures.timeouts > 0;
  });
}

/** The best and the worst cell, and ties for the first place. */
function conditionText({ cells, pairs, load }: Condition): string[] {
  const ranked = cells.flatMap(({ figures, rank, target }) => {
    return figures && rank ? [{ target, label: target.label, place: rank.place, figures }] : [];
  });
  const [best, ...others] = ranked;
  if (best === undefined) {
    const isAny = cells.some(({ figures }) => figures !== null);
    return [isAny ? 'No figure here is valid.' : 'Nothing was measured here.'];
  }
  const answers = ranked.map(({ figures }) => figures.answered);
  const answered = load.method === 'contiguous' ? [answeredText(answers)] : [];
  const last = others.at(-1);
  if (last === undefined) {
    const { figures } = best;
    const cpuUs = plusMinus(figures.cpuPerRequest, 1000);
    const each = pointOf(figures.throughput) ? `, at ${cpuUs} µs of CPU each` : '';
    const perS = plusMinus(figures.throughput);
    return [`${best.label} answered ${perS} requests/s${each}.`, ...answered];
  }
  if (!pointOf(best.figures.headline)) return ['Nothing was answered.', ...answered];
  const isLess = headlineOf(load).better === 'less';
  const most = isLess ? 'used the least CPU' : 'answered the most requests/s';
  const pair = pairs.find(({ better, worse }) => better === best.target && worse === last.target);
  const times = pair && timesText(pair);
  const less = times ? `; ${last.label} ${times} times as ${isLess ? 'much' : 'many'}` : '';
  const leaders = ranked.filter(({ place }) => place === 1).map(({ label }) => label);
  const tie = leaders.length > 1 ? [`${list(leaders)} can't be told apart.`] : [];
  return [`${best.label} ${most}${less}.`, ...tie, ...answered];
}

/** The ratio of a pair; null if it is not known, as where the generator was the limit of both. */
function timesText({ comparison: { ratio: times }, isLowerBound }: RankedPair): string | null {
  const { first: isAtLeast, second: isAtMost } = isLowerBound;
  if (times.kind === 'none' || (isAtLeast && isAtMost)) return null;
  if (isAtLeast) return `at least ${ratioRange(times)}`;
  return `${isAtMost ? 'at most ' : ''}${ratioRange(times)}`;
}

function answeredText(answers: readonly Figures['answered'][]): string {
  const ok = sum(answers.map((each) => each.ok));
  const sent = sum(answers.map((each) => each.sent));
  if (ok === sent) return sent === 0 ? 'Nothing was sent.' : 'Every request was answered.';
  return (
    `Of ${count(sent)} requests sent, ${count(ok)} were answered (${percent(ok / sent)}); in latency, the others count as ` +
    'longer than they waited.'
  );
}
