import type { Latency } from '../../figures/latency.ts';
import type { Beside, ImageCauses } from '../../summary/image.ts';
import type { PublishedImageRow, PublishedImageTable } from '../../summary/image-published.ts';
import type { Section } from '../document.ts';
import { ratio, ratioRange, time } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

/** The published figures beside the measured ones, and what became of each published claim. */
export function publishedImageSection(
  causes: ImageCauses,
  table: PublishedImageTable | null,
): Section {
  const claims = [firstClaim(causes), secondClaim(causes), THIRD].map(paragraph);
  if (table === null) return section('What became of the published claims', claims);
  const { php, go, rows, source } = table;
  const figures = tableOf({ head: 'published', cell: ({ what }) => what }, COLUMNS, rows);
  return section(`Published beside measured: ${php.label} over ${go.label}`, [
    figures,
    paragraph(`${source}. ${READING}`),
    ...claims,
  ]);
}

const COLUMNS: Column<PublishedImageRow>[] = [
  { group: 'published', head: 'in', text: true, cell: ({ test }) => test },
  { group: 'published', head: 'ratio', cell: ({ published }) => ratio(published) },
  { group: 'here', head: 'here', text: true, cell: ({ against }) => against },
  { group: 'here', head: 'ratio', cell: ({ measured }) => ratioRange(measured) },
];

const READING =
  'What a picture costs does not carry over from machine to machine and from picture to picture; how two ' +
  'servers stand to each other may. CPU of an image and peak memory are those at the limit, latency that at the ' +
  'rate that all can serve, over all answers, without an interval.';

/** What the first published test concluded. */
function firstClaim({ firstGo, libraries, languages }: ImageCauses): string {
  const heading = '“First, Go with nfnt/resize was slower than PHP: the library decides”:';
  if (firstGo === null) return `${heading} not both of the two were measured.`;
  const seen = `${heading} ${besideText(firstGo)}${HELD[firstGo.comparison.verdict]}`;
  if (libraries === null || languages === null) return `${seen}.`;
  return (
    `${seen}. In one language, ${besideText(libraries)}; with one library in two languages, ` +
    `${besideText(languages)}: ${decides(libraries, languages)}.`
  );
}

/** Whether the first published claim holds by how the two stand. */
const HELD: Record<Beside['comparison']['verdict'], string> = {
  slower: ', as published',
  faster: ': not as published',
  same: ': not as published',
  "can't tell": ': not settled here',
};

function decides(libraries: Beside, languages: Beside): string {
  const [byLibrary, byLanguage] = [libraries, languages].map(({ comparison: { ratio: times } }) => {
    return times.kind === 'none' ? 0 : Math.abs(Math.log(times.value));
  });
  const isTold = libraries.comparison.verdict !== "can't tell";
  if (!isTold || byLibrary === undefined || byLanguage === undefined) {
    return 'what decides is not settled by this run';
  }
  return byLibrary > byLanguage
    ? 'here too the library decides, and not the language'
    : 'here the language makes more of a difference than the library';
}

/** What the second published test concluded. */
function secondClaim({ secondGo, latency: { php, go, goUnderMore } }: ImageCauses): string {
  const heading = '“Then, Go with libvips halved the average latency and stayed steady”:';
  const parts = [
    ...(secondGo === null ? [] : [besideText(secondGo)]),
    ...halving(php, go),
    ...steadiness(go, goUnderMore),
  ];
  return parts.length === 0 ? `${heading} not measured.` : `${heading} ${parts.join('; ')}.`;
}

/** What half means: a mean below this share of the other. */
const HALF = 0.5;

function halving(php: Latency | null, go: Latency | null): string[] {
  if (php?.mean.kind !== 'known' || go?.mean.kind !== 'known') return [];
  const share = go.mean.ns / php.mean.ns;
  const times = `${time(go.mean.ns)} in the mean in place of ${time(php.mean.ns)}`;
  return [
    `at a rate that all can serve an image takes ${times}, ${ratio(share)} times as long` +
      (share <= HALF ? ': at least halved' : ': not halved'),
  ];
}

/** An image takes no longer than so many times as long at more requests. */
const STEADY = 2;

function steadiness(go: Latency | null, more: Latency | null): string[] {
  if (go?.p95.kind !== 'known' || more === null) return [];
  if (more.p95.kind !== 'known') return ['and at the higher rate it falls behind: not steady'];
  const times = more.p95.ns / go.p95.ns;
  return [
    `and at the higher rate its p95 is ${ratio(times)} times as long: ` +
      (times <= STEADY ? 'steady' : 'not steady'),
  ];
}

const THIRD =
  '“More threads than the CPU limit worsen p95 and p99” is not about pictures: a run with --cpu-limit and several ' +
  'topologies says what became of it.';

/** One beside another, by the CPU time of an image. */
function besideText({ target, other, comparison: { ratio: times } }: Beside): string {
  return `an image takes ${target.label} ${ratioRange(times)} times the CPU that it takes ${other.label}`;
}
