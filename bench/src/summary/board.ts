import { isPlain } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { type BoardCauses, findCauses } from './board-causes.ts';
import { type BoardLevel, boardLevels } from './board-levels.ts';
import { LATEST } from './board-names.ts';
import { comparePublishedBoard, type PublishedBoardTable } from './board-published.ts';
import { publishedBoard } from './board-reported.ts';
import type { Condition } from './conditions.ts';
import { type LadderTable, summarizeLadders } from './ladder.ts';

/** What a run of the board shows. */
export interface BoardSummary {
  levels: BoardLevel[];
  published: PublishedBoardTable | null;
  /** What variants cost with the database, under the fewest connections, as single processes. */
  ladders: LadderTable | null;
  causes: BoardCauses;
}

/** Works out what a run of the board shows. */
export function summarizeBoard(record: RunRecord, conditions: Condition[]): BoardSummary {
  const levels = boardLevels(record, conditions);
  const fewest = levels.find(({ path }) => path === LATEST)?.load;
  const read = conditions.find(({ load, topology }) => load === fewest && isPlain(topology));
  return {
    levels,
    ladders: read ? summarizeLadders(record, read) : null,
    published: comparePublishedBoard(record, publishedBoard(), levels),
    causes: findCauses(record, levels),
  };
}
