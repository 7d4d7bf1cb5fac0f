import { isPlain } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { type BoardCauses, findCauses } from './board-causes.ts';
import { type BoardLevel, boardLevels } from './board-levels.ts';
import { BOARD_PATHS } from './board-names.ts';
import { comparePublishedBoard, type PublishedBoardTable } from './board-published.ts';
import { publishedBoard } from './board-reported.ts';
import type { Condition } from './conditions.ts';
import { type LadderTable, summarizeLadders } from './ladder.ts';

/** What a run of the board shows. */
export interface BoardSummary {
  levels: BoardLevel[];
  published: PublishedBoardTable | null;
  /** What variants cost, path by path, under the fewest connections. */
  ladders: LadderTable[];
  causes: BoardCauses;
}

/** Works out what a run of the board shows. */
export function summarizeBoard(record: RunRecord, conditions: Condition[]): BoardSummary {
  const levels = boardLevels(record, conditions);
  const fewest = BOARD_PATHS.flatMap((path) => levels.find((level) => level.path === path) ?? []);
  const read = conditions.filter(({ load, topology }) => {
    return isPlain(topology) && fewest.some((level) => level.load === load);
  });
  return {
    levels,
    ladders: read.flatMap((condition) => summarizeLadders(record, condition) ?? []),
    published: comparePublishedBoard(record, publishedBoard(), levels),
    causes: findCauses(record, levels),
  };
}
