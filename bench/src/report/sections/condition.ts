import { sum } from 'simple-statistics';
import { type Figures, headlineIn, headlineOf } from '../../figures/figures.ts';
import { pointOf } from '../../math/statistics.ts';
import type { Manager } from '../../plan/topology.ts';
import type { CellSummary, Condition } from '../../summary/conditions.ts';
import type { Section } from '../document.ts';
import { count, list, megabytes, percent, ratio } from '../format.ts';
import { conditionName } from '../names.ts';
import { flaggedTable, isUnreached, paragraph, section } from '../section.ts';
import { type Column, words } from '../tabulate.ts';
import {
  CPU_HEAD,
  columnsOfCells,
  cpuText,
  figuresIn,
  serviceColumns,
  servicesIn,
  TARGET,
  throughputText,
} from './columns.ts';

/** The main table of a topology under a load, with a row for each target; with details it has every figure. */
export function conditionSection(condition: Condition, { details }: { details: boolean }): Section {
  const { cells } = condition;
  const { blocks, codes } = flaggedTable({
    name: TARGET,
    columns: conditionColumns(condition, details),
    rows: cells,
    flagGroup: 'volume',
    flagsOf: ({ flags }) => flags,
  });
  const all = details || isFailing(cells) ? [] : ['No errors, no time-outs.'];
  const text = paragraph([...conditionText(condition), ...all].join(' '));
  return section(conditionName(condition), isUnreached(cells) ? [text] : [...blocks, text], codes);
}

const { leading, figure, latency, memory } = columnsOfCells<CellSummary>((cell) => cell);

function conditionColumns(condition: Condition, details: boolean): Column<CellSummary>[] {
  const { cells, load, topology } = condition;
  const services = serviceColumns(cells, servicesIn, { cpu: 'rate', memory: 'volume' });
  const keeper = keeperOf(topology.manager);
  const hasFloor = cells.some((cell) => floorOf(figuresIn(cell)) !== null);
  return [
    ...(cells.length > 1 ? [RANK] : []),
    leading('rate', 'requests/s', throughputText),
    figure('rate', CPU_HEAD, cpuText),
    ...services.cpu,
    ...(hasFloor ? [FLOOR] : []),
    ...(load.method === 'contiguous' ? [ANSWERED] : []),
    ...(details ? TIMES : [latency('p50'), latency('p99')]),
    ...(details ? VOLUME : []),
    ...(details || isFailing(cells) ? FAILURES : []),
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

const FLOOR = figure('rate', '× the\nfloor', floorOf);

function floorOf(figures: Figures | null): string | null {
  const times = figures && pointOf(figures.timesFloor);
  return times === null ? null : ratio(times);
}

const ANSWERED = figure('latency', 'answered', ({ answered }) => {
  return `${count(answered.ok)} of ${count(answered.sent)}`;
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
  figure('volume', 'bytes/\nresponse', ({ bytesPerResponse }) => {
    return bytesPerResponse === null ? null : count(bytesPerResponse);
  }),
];

const FAILURES = [
  figure('volume', 'errors', ({ errors }) => count(errors)),
  figure('volume', 'time-\nouts', ({ timeouts }) => count(timeouts)),
];

/** Whether any request had no answer or a wrong one, or a cell was not measured. */
function isFailing(cells: readonly CellSummary[]): boolean {
  return cells.some((cell) => {
    const figures = figuresIn(cell);
    return figures === null || figures.errors > 0 || figures.timeouts > 0;
  });
}

/** The best and the worst cell, and ties for the first place. */
function conditionText({ cells, load }: Condition): string[] {
  const ranked = cells.flatMap((cell) => {
    const figures = figuresIn(cell);
    return figures && cell.rank ? [{ label: cell.target.label, ...cell.rank, figures }] : [];
  });
  const [best, ...others] = ranked;
  if (best === undefined) {
    const isAny = cells.some((cell) => figuresIn(cell) !== null);
    return [isAny ? 'No figure here is valid.' : 'Nothing was measured here.'];
  }
  const answers = ranked.map(({ figures }) => figures.answered);
  const answered = load.method === 'contiguous' ? [answeredText(answers)] : [];
  const last = others.at(-1);
  if (last === undefined) {
    const { label, figures } = best;
    const each = pointOf(figures.throughput) ? `, at ${cpuText(figures)} µs of CPU each` : '';
    return [`${label} answered ${throughputText(figures)} requests/s${each}.`, ...answered];
  }
  const [high, low] = [best, last].map(({ figures }) => pointOf(headlineIn(figures, load)));
  if (!high || low == null) return ['Nothing was answered.', ...answered];
  const isLess = headlineOf(load).better === 'less';
  const most = isLess ? 'used the least CPU' : 'answered the most requests/s';
  const times = `${ratio(low / high)} times as ${isLess ? 'much' : 'many'}`;
  const leaders = ranked.filter(({ place }) => place === 1).map(({ label }) => label);
  const tie = leaders.length > 1 ? [`${list(leaders)} can't be told apart.`] : [];
  return [`${best.label} ${most}; ${last.label} ${times}.`, ...tie, ...answered];
}

/** How many requests of an unbroken measurement were answered. */
function answeredText(answers: readonly Figures['answered'][]): string {
  const ok = sum(answers.map((each) => each.ok));
  const sent = sum(answers.map((each) => each.sent));
  if (ok === sent) return sent === 0 ? 'Nothing was sent.' : 'Every request was answered.';
  return (
    `Of ${count(sent)} requests sent, ${count(ok)} were answered (${percent(ok / sent)}); in latency, the others count as ` +
    'longer than they waited.'
  );
}
