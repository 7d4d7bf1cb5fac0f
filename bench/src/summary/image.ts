import { CPU, sidesOf, slicesOf } from '../figures/figures.ts';
import type { Latency } from '../figures/latency.ts';
import { type Comparison, compare, NEITHER } from '../math/verdicts.ts';
import { isPlain } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import type { CellSummary, Condition } from './conditions.ts';
import { GO_FIRST, GO_VIPS, LIMIT, NODE_VIPS, OVERLOADED, PHP, SERVED } from './image-names.ts';
import { comparePublishedImage, type PublishedImageTable } from './image-published.ts';
import { type ImageRate, imageRates, latencyAt } from './image-rates.ts';
import { type LadderTable, summarizeLadders } from './ladder.ts';

/** What a run of the image servers shows. */
export interface ImageSummary {
  /** Every server at its limit, topology by topology. */
  limits: ImageLimit[];
  /** What variants cost at the limit. */
  ladders: LadderTable | null;
  rates: ImageRate[];
  causes: ImageCauses;
  published: PublishedImageTable | null;
}

/** All servers of a topology at their limit. */
export interface ImageLimit {
  condition: Condition;
  rows: { summary: CellSummary; answers: JudgedAnswers | null }[];
}

/** What was found out about a server's answers before any load, over the widths of the mix. */
export interface JudgedAnswers {
  /** Of one in the mean. */
  bytes: number;
  /** Of the one that is the least close to the reference, dB. */
  psnr: number;
}

/** CPU time of an image of one server over that of another, at their limit. */
export interface Beside {
  target: Target;
  other: Target;
  comparison: Comparison;
}

/** What the published claims are held against. Null where one of the two was not measured. */
export interface ImageCauses {
  /** The Go of the first published test beside PHP. */
  firstGo: Beside | null;
  /** The Go of the second beside PHP. */
  secondGo: Beside | null;
  /** The same language with two libraries. */
  libraries: Beside | null;
  /** The same library in two languages. */
  languages: Beside | null;
  /** Latency at the rate that all serve, of PHP and of the second Go, and of that at the rate that some serve. */
  latency: { php: Latency | null; go: Latency | null; goUnderMore: Latency | null };
}

/** Works out what a run of the image servers shows. */
export function summarizeImage(record: RunRecord, conditions: Condition[]): ImageSummary {
  const limits = conditions.filter(({ load }) => load.id === LIMIT);
  const plain = limits.find(({ topology }) => isPlain(topology)) ?? null;
  const rates = imageRates(record, conditions);
  return {
    limits: limits.map((condition) => ({
      condition,
      rows: condition.cells.map((summary) => {
        return { summary, answers: judgedAnswers(record, summary) };
      }),
    })),
    ladders: plain && summarizeLadders(record, plain),
    rates,
    causes: findCauses(record, plain, rates),
    published: plain && comparePublishedImage(record, plain, rates),
  };
}

function judgedAnswers({ starts }: RunRecord, { cell }: CellSummary): JudgedAnswers | null {
  const judged = starts.find(({ server }) => server === cell.server)?.judged ?? [];
  const of = (name: string) => judged.flatMap(({ figures }) => figures[name] ?? []);
  const [bytes, psnr] = [of('bytes'), of('psnr')];
  if (bytes.length === 0 || psnr.length === 0) return null;
  return {
    bytes: bytes.reduce((sum, each) => sum + each, 0) / bytes.length,
    psnr: Math.min(...psnr),
  };
}

function findCauses(record: RunRecord, limit: Condition | null, rates: ImageRate[]): ImageCauses {
  const cellOf = (name: string) => limit?.cells.find(({ target }) => target.name === name);
  const names = [
    [GO_FIRST, PHP],
    [GO_VIPS, PHP],
    [GO_FIRST, GO_VIPS],
    [NODE_VIPS, GO_VIPS],
  ] as const;
  const pairs = names.map(([name, other]) => ({ one: cellOf(name), other: cellOf(other) }));
  const found = pairs.map(({ one, other }) => {
    if (one?.outcome.state !== 'measured' || other?.outcome.state !== 'measured') return null;
    return {
      target: one.target,
      other: other.target,
      sides: sidesOf(slicesOf(record, one.cell), slicesOf(record, other.cell), CPU),
    };
  });
  // One family: they are read together.
  const known = found.filter((each) => each !== null);
  const { equivalence } = record.plan;
  const rules = { better: 'less', equivalence } as const;
  const compared = compare(
    known.map(({ sides }) => ({ sides, mayBeBetter: NEITHER })),
    rules,
  );
  const [firstGo = null, secondGo = null, libraries = null, languages = null] = found.map(
    (each): Beside | null => {
      const comparison = each === null ? undefined : compared[known.indexOf(each)];
      if (each === null || comparison === undefined) return null;
      return { target: each.target, other: each.other, comparison };
    },
  );
  const latency = {
    php: latencyAt(rates, SERVED, PHP),
    go: latencyAt(rates, SERVED, GO_VIPS),
    goUnderMore: latencyAt(rates, OVERLOADED, GO_VIPS),
  };
  return { firstGo, secondGo, libraries, languages, latency };
}
