import { pointOf } from '../../math/statistics.ts';
import type {
  PublishedBoardRatio,
  PublishedBoardRow,
  PublishedBoardTable,
} from '../../summary/board-published.ts';
import type { Section } from '../document.ts';
import { count, megabytes, number, percent, plusMinus, ratio, ratioRange } from '../format.ts';
import { rowName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

/** Every published figure of the board beside the measured one, and the ratios, which carry over. */
export function publishedBoardSection({
  rows,
  ratios,
  source,
  cpu,
  claims,
}: PublishedBoardTable): Section {
  const concluded = claims.length === 0 ? '' : ` It concluded: “${claims.join('”; “')}”.`;
  const name = ({ target, topology }: PublishedBoardRow) => rowName(target, topology);
  const ratioName = ({ bun, go }: PublishedBoardRatio) => `${bun.label} to ${go.label}`;
  return section('Published beside measured', [
    tableOf({ head: 'target', cell: name }, FIGURES, rows),
    ...(ratios.length === 0
      ? []
      : [tableOf({ head: 'ratio of', cell: ratioName }, RATIOS, ratios)]),
    paragraph(`${ratioSentence(ratios)}${source}, on ${cpu}.${concluded} ${READING}`),
  ]);
}

const FIGURES: Column<PublishedBoardRow>[] = [
  { group: '', head: 'connec-\ntions', cell: ({ connections }) => count(connections) },
  {
    group: 'rate',
    head: 'requests/s\npublished',
    cell: ({ published }) => number(published.requestsPerSecond),
  },
  { group: 'rate', head: '\nhere', cell: ({ throughput }) => plusMinus(throughput) },
  {
    group: 'memory',
    head: 'peak MB\npublished',
    cell: ({ published }) => megabytes(published.peakBytes),
  },
  { group: 'memory', head: '\nhere', cell: ({ peakBytes }) => plusMinus(peakBytes, 1e6) },
];

const RATIOS: Column<PublishedBoardRatio>[] = [
  { group: '', head: 'in', text: true, cell: ({ what }) => what },
  { group: '', head: 'connec-\ntions', cell: ({ connections }) => count(connections) },
  { group: '', head: 'published', cell: ({ published }) => ratio(published) },
  { group: '', head: 'measured here', cell: ({ measured }) => ratioRange(measured) },
];

/** By how much a ratio may be off and still be called near. */
const NEAR = 1.1;

/** How the published ratios fare here, with a space after it. */
function ratioSentence(ratios: readonly PublishedBoardRatio[]): string {
  const known = ratios.flatMap(({ published, measured }) => {
    const value = pointOf(measured);
    return value === null ? [] : [{ published, value }];
  });
  if (known.length === 0) return '';
  const isFar = ({ published, value }: (typeof known)[number]) => {
    return Math.abs(Math.log(value / published)) > Math.log(NEAR);
  };
  const far = known.filter(isFar);
  const turned = far.filter(({ published, value }) => published > 1 !== value > 1);
  const within = percent(NEAR - 1);
  if (far.length === 0)
    return `Every published ratio is within ${within} of what was measured here. `;
  return (
    `Of ${known.length} published ratios, ${far.length} ${far.length === 1 ? 'is' : 'are'} more than ` +
    `${within} away from what was measured here, and ${turned.length} on the other side of 1. `
  );
}

const READING =
  'Go runs on as many cores as it was given here, Bun on one, as then. What a machine answers does not carry ' +
  'over to another; the ratio of two servers may.';
