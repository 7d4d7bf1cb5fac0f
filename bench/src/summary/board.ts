import type { RunRecord } from '../record/record.ts';
import { type BoardCauses, findCauses } from './board-causes.ts';
import { type BoardLevel, boardLevels } from './board-levels.ts';
import { comparePublishedBoard, type PublishedBoardTable } from './board-published.ts';
import type { Condition } from './conditions.ts';
import { publishedBoard } from './published.ts';

/** What a run of the board shows. */
export interface BoardSummary {
  levels: BoardLevel[];
  published: PublishedBoardTable | null;
  causes: BoardCauses;
}

/** Works out what a run of the board shows. */
export function summarizeBoard(record: RunRecord, conditions: Condition[]): BoardSummary {
  const levels = boardLevels(record, conditions);
  return {
    levels,
    published: comparePublishedBoard(record, publishedBoard(), levels),
    causes: findCauses(record, levels),
  };
}
