import type { RecordComparison, RecordRow } from '../summary/records.ts';
import type { Summary } from '../summary/summary.ts';
import type { Document } from './document.ts';
import { asked, changeText, percent, plusMinus } from './format.ts';
import { machineText } from './machine-text.ts';
import { conditionName } from './names.ts';
import { flaggedTable, paragraph, section } from './section.ts';
import { amount, type Column, words } from './tabulate.ts';

/** Two saved runs side by side; `differences` are those in how they were measured, which somebody chose to pass over. */
export function compareDocument(
  old: Summary,
  fresh: Summary,
  comparison: RecordComparison,
  differences: readonly string[],
): Document {
  const { rows, condition } = comparison;
  const { plan, machine, startedAt } = fresh.record;
  const hasFloor = rows.some(({ verdict }) => verdict === null);
  const { blocks, codes } = flaggedTable({
    name: ['target', ({ target }) => target.label],
    columns: COLUMNS,
    rows,
    flagsOf: ({ flags }) => flags,
  });
  const text = [
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
    sections: [section(`New beside old, ${conditionName(condition)}`, [...blocks, ...text], codes)],
    foot: [],
  };
}

const COLUMNS: Column<RecordRow>[] = [
  amount('CPU µs/request', 'old', ({ cpu }) => plusMinus(cpu.old, 1000)),
  amount('CPU µs/request', 'new', ({ cpu }) => plusMinus(cpu.new, 1000)),
  amount('more than before', 'as measured', ({ change }) => changeText(change)),
  amount('more than before', 'with the drift', certainText),
  words('', 'verdict', ({ verdict }) => verdict ?? 'shows the drift'),
];

function certainText({ certain, verdict }: RecordRow): string | null {
  if (verdict === null || certain.kind !== 'interval') return null;
  return `${percent(certain.low)} to ${percent(certain.high)}`;
}

const DRIFT =
  'The floor is the same server in both: how far it has moved, or may have, is added to either end of every interval.';
const NO_FLOOR =
  'There is no floor in both records: how far the machine itself has moved is not known, so that there is no verdict.';
