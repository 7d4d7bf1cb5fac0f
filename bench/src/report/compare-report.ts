import type { RecordComparison, RecordRow } from '../summary/records.ts';
import type { Summary } from '../summary/summary.ts';
import type { Document } from './document.ts';
import { asked, changeText, NONE, percent, plusMinus } from './format.ts';
import { machineText } from './machine-text.ts';
import { conditionName } from './names.ts';
import { Notes } from './notes.ts';
import { paragraph, section } from './section.ts';
import { type Column, tableOf } from './tabulate.ts';

/** Two saved runs side by side; `differences` are those in how they were measured, which somebody chose to pass over. */
export function compareDocument(
  old: Summary,
  fresh: Summary,
  comparison: RecordComparison,
  differences: readonly string[],
): Document {
  const { rows, condition } = comparison;
  const { plan, machine, startedAt } = fresh.record;
  const notes = new Notes(rows.map(({ target, flags }) => ({ label: target.label, flags })));
  const columns: Column<RecordRow>[] = [
    { group: 'CPU µs/request', head: 'old', cell: ({ cpu }) => plusMinus(cpu.old, 1000) },
    { group: 'CPU µs/request', head: 'new', cell: ({ cpu }) => plusMinus(cpu.new, 1000) },
    { group: 'more than before', head: 'as measured', cell: ({ change }) => changeText(change) },
    { group: 'more than before', head: 'with the drift', cell: certainText },
    {
      group: '',
      head: 'verdict',
      text: true,
      cell: ({ verdict }) => verdict ?? 'shows the drift',
    },
    ...notes.column<RecordRow>('', ({ flags }) => flags),
  ];
  const name = { head: 'target', cell: ({ target }: RecordRow) => target.label };
  const hasFloor = rows.some(({ verdict }) => verdict === null);
  const blocks = [
    tableOf(name, columns, rows),
    ...notes.blocks(),
    paragraph(hasFloor ? DRIFT : NO_FLOOR),
    paragraph(`Within ±${asked(plan.equivalence)} both are the same.`),
  ];
  return {
    title: 'overhead compare',
    intro: [
      `Measured ${old.record.startedAt} and ${startedAt} on ${machineText(machine)} Nothing of the two runs was ` +
        'interleaved, and the machine may have changed in between: `ab` measures both in one sitting.',
    ],
    warnings: differences.map(
      (each) => `Not the same in both, and compared all the same (--force): ${each}.`,
    ),
    sections: [section(`New beside old, ${conditionName(condition)}`, blocks, notes.codes)],
    foot: [],
  };
}

function certainText({ certain, verdict }: RecordRow): string {
  if (verdict === null || certain.kind !== 'interval') return NONE;
  return `${percent(certain.low)} to ${percent(certain.high)}`;
}

const DRIFT =
  'The floor is the same server in both: how far it has moved, or may have, is added to either end of every interval.';
const NO_FLOOR =
  'There is no floor in both records: how far the machine itself has moved is not known, so that there is no verdict.';
