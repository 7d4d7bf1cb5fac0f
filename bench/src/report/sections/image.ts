import type { ImageLimit, ImageSummary } from '../../summary/image.ts';
import { OVERLOADED } from '../../summary/image-names.ts';
import type { ImageRate, ImageRateRow } from '../../summary/image-rates.ts';
import type { Section } from '../document.ts';
import { count, latencyTime, NONE, number, percent, perSecond, plusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { publishedImageSection } from './image-published.ts';
import { ladderSections } from './ladder.ts';

/** All that a run of the image servers shows. */
export function imageSections({
  limits,
  ladders,
  rates,
  causes,
  published,
}: ImageSummary): Section[] {
  return [
    ...limits.map(limitSection),
    ...(ladders ? ladderSections(ladders) : []),
    ...rates.map(rateSection),
    publishedImageSection(causes, published),
  ];
}

type LimitRow = ImageLimit['rows'][number];

/** What each server makes of a picture, and what that costs. */
function limitSection({ condition, rows }: ImageLimit): Section {
  const heading = `Images ${conditionName(condition)}`;
  if (isUnreached(condition.cells)) return unreachedSection(heading);
  const { leading, figure } = columnsOfCells<LimitRow>(({ summary }) => summary);
  const notes = new Notes(rows.map(({ summary }) => noted(summary)));
  const columns: Column<LimitRow>[] = [
    leading('rate', 'images/s', ({ throughput }) => plusMinus(throughput)),
    figure('rate', 'CPU\nms/image', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1e6)),
    figure('rate', 'peak\nMB', ({ peakMemory }) => plusMinus(peakMemory, 1e6)),
    {
      group: 'picture',
      head: 'kB/\nimage',
      cell: ({ answers }) => (answers === null ? NONE : number(answers.bytes / 1000)),
    },
    {
      group: 'picture',
      head: 'closeness\ndB',
      cell: ({ answers }) => (answers === null ? NONE : answers.psnr.toFixed(1)),
    },
    ...notes.column<LimitRow>('picture', ({ summary }) => summary.flags),
  ];
  const name = { head: 'target', cell: ({ summary }: LimitRow) => summary.target.label };
  const blocks = [tableOf(name, columns, rows), ...notes.blocks(), paragraph(READING)];
  return section(heading, blocks, notes.codes);
}

const READING =
  'The same picture at ten widths in turn, each answer the very bytes that were verified. Peak memory is the ' +
  "most that the server's processes had resident (VmHWM), summed, in all that this run had them do. Bytes " +
  'are those of the mean over the widths; closeness is the PSNR of lightness beside Lanczos3 in double ' +
  'precision before any encoding, at the width where it is the lowest.';

/** From how many answers on a hundredth of them is more than chance. */
const ENOUGH_FOR_P99 = 1000;

/** Whoever can serve a rate, and how long an image takes there. */
function rateSection({ condition, rows }: ImageRate): Section {
  const heading = `Images ${conditionName(condition)}`;
  if (isUnreached(condition.cells)) return unreachedSection(heading);
  const { leading, figure, latency } = columnsOfCells<ImageRateRow>(({ summary }) => summary);
  const notes = new Notes(rows.map(({ summary }) => noted(summary)));
  const columns: Column<ImageRateRow>[] = [
    leading('rate', 'answered\nin time', (_, { answered: { ok, planned } }) => {
      return `${count(ok)} of ${count(planned)}`;
    }),
    figure('rate', 'CPU\nms/image', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1e6)),
    figure('rate', 'busy', (_, { busy }) => percent(busy)),
    latency('p50\nms', ({ p50 }) => latencyTime(p50)),
    latency('p95\nms', ({ p95 }) => latencyTime(p95)),
    ...(rows.some(({ answered }) => answered.ok >= ENOUGH_FOR_P99)
      ? [
          figure('latency', 'p99\nms', ({ latency: times }, { answered }) => {
            return times && answered.ok >= ENOUGH_FOR_P99 ? latencyTime(times.p99) : NONE;
          }),
        ]
      : []),
    ...notes.column<ImageRateRow>('latency', ({ summary }) => summary.flags),
  ];
  const name = { head: 'target', cell: ({ summary }: ImageRateRow) => summary.target.label };
  const text = `${keepingUp(condition.load, rows)} ${PLANNED}`;
  const blocks = [tableOf(name, columns, rows), ...notes.blocks(), paragraph(text)];
  return section(heading, blocks, notes.codes);
}

const PLANNED =
  'Requests left at their planned times, and latency counts from there. In time is before the slice that ' +
  `they were planned in ended. From ${count(ENOUGH_FOR_P99)} answers on there is a p99.`;

/** Who answers nearly all that is asked of it. */
function keepingUp(
  { id, ratePerS, sliceNs }: ImageRate['condition']['load'],
  rows: ImageRateRow[],
) {
  const measured = rows.filter(({ summary }) => summary.outcome.state === 'measured');
  const labels = (keeps: boolean) => {
    return measured
      .filter(({ keepsUp }) => keepsUp === keeps)
      .map(({ summary }) => summary.target.label);
  };
  const [able, unable] = [labels(true), labels(false)];
  const rate = `${perSecond(ratePerS)} images a second`;
  if (unable.length === 0) return `All of them serve ${rate}.`;
  const behind =
    `${list.format(unable)} ${unable.length === 1 ? 'falls' : 'fall'} behind: there latency grows for as long ` +
    `as the load lasts, here slices of ${number(sliceNs / 1e9)} s.`;
  const wanted = id === OVERLOADED ? '' : ', which was to be a rate that all can serve';
  const who =
    able.length === 0 ? `None of them serves ${rate}` : `${list.format(able)} can serve ${rate}`;
  return `${who}${wanted}. ${behind}`;
}

const list = new Intl.ListFormat('en-GB');

function noted({ target, flags }: LimitRow['summary']) {
  return { label: target.label, flags };
}
