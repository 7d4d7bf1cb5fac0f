import { PEAK, sidesOf, slicesOf, THROUGHPUT } from '../figures/figures.ts';
import { type Estimate, ratio } from '../math/statistics.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import type { BoardLevel, BoardRow } from './board-levels.ts';
import { type BoardPath, BUN, GO, publishedName } from './board-names.ts';
import type { BoardSide, PublishedBoard } from './board-reported.ts';

/** Every published figure beside the measured one. */
export interface PublishedBoardTable extends Pick<PublishedBoard, 'source' | 'cpu' | 'claims'> {
  rows: PublishedBoardRow[];
  ratios: PublishedBoardRatio[];
}

/** One of the two, on one path with one number of connections. */
export interface PublishedBoardRow {
  path: BoardPath;
  connections: number;
  target: Target;
  /** Where it was measured: with as many cores as it can use, as then. */
  topology: Topology;
  published: BoardSide;
  throughput: Estimate;
  peakBytes: Estimate;
}

/** Bun over Go: what says something on any machine. */
export interface PublishedBoardRatio {
  path: BoardPath;
  connections: number;
  what: 'requests/s' | 'peak memory';
  bun: Target;
  go: Target;
  published: number;
  measured: Estimate;
}

/** Every published figure beside the measured one; null where none was measured. */
export function comparePublishedBoard(
  record: RunRecord,
  { source, cpu, claims, results }: PublishedBoard,
  levels: readonly BoardLevel[],
): PublishedBoardTable | null {
  const found = results.flatMap((result) => {
    const level = levels.find(({ path, load }) => {
      return path === result.path && load.connections === result.connections;
    });
    if (level === undefined) return [];
    const sides = [
      { row: widest(level, publishedName(GO, level.path)), published: result.go },
      { row: widest(level, publishedName(BUN, level.path)), published: result.bun },
    ];
    return [{ result, level, sides }];
  });
  const rows = found.flatMap(({ level: { path }, result: { connections }, sides }) => {
    return sides.flatMap(({ row, published }): PublishedBoardRow[] => {
      if (row?.summary.outcome.state !== 'measured') return [];
      const { throughput, peakMemory: peakBytes } = row.summary.outcome.figures;
      const { topology, summary } = row;
      const measured = { topology, target: summary.target, throughput, peakBytes };
      return [{ path, connections, published, ...measured }];
    });
  });
  const compared = found.flatMap(({ level: { path }, result: { connections, go, bun }, sides }) => {
    const [ofGo, ofBun] = sides.map(({ row }) => row);
    if (ofGo === undefined || ofBun === undefined) return [];
    const [goSlices, bunSlices] = [ofGo, ofBun].map(({ summary }) => {
      return slicesOf(record, summary.cell);
    });
    const [others, slices] = [goSlices ?? [], bunSlices ?? []];
    const targets = { go: ofGo.summary.target, bun: ofBun.summary.target };
    const all: PublishedBoardRatio[] = [
      {
        ...{ path, connections, ...targets, what: 'requests/s' },
        published: bun.requestsPerSecond / go.requestsPerSecond,
        measured: ratio(sidesOf(slices, others, THROUGHPUT)),
      },
      {
        ...{ path, connections, ...targets, what: 'peak memory' },
        published: bun.peakBytes / go.peakBytes,
        measured: ratio(sidesOf(slices, others, PEAK)),
      },
    ];
    return all.filter(({ measured }) => measured.kind !== 'none');
  });
  return rows.length === 0 ? null : { source, cpu, claims, rows, ratios: compared };
}

/** A target of a level on the most cores that it was measured on. */
function widest({ rows }: BoardLevel, name: string): BoardRow | undefined {
  const own = rows.filter(({ summary }) => summary.target.name === name);
  const others = own.filter(({ topology }) => !isPlain(topology));
  return (others.length > 0 ? others : own).toSorted((a, b) => {
    return b.topology.processes - a.topology.processes;
  })[0];
}
