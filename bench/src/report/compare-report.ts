import type { RecordComparison, RecordRow } from '../summary/records.ts';
import type { Summary } from '../summary/summary.ts';
import { amount, type Column, type Document, words } from './document.ts';
import { asked, changeText, percent, plusMinus } from './format.ts';
import { conditionName, machineText } from './names.ts';
import { tableSection } from './section.ts';

/** Two saved runs side by side; `differences` in how they were measured are those that --force passed over. */
export function compareDocument(
  old: Summary,
  fresh: Summary,
  { rows, condition }: RecordComparison,
  differences: readonly string[],
): Document {
  const { plan, machine, startedAt } = fresh.record;
  const table = tableSection(`New beside old, ${conditionName(condition)}`, {
    name: ['target', ({ target }) => target.label],
    columns: COLUMNS,
    rows,
    flagsOf: ({ flags }) => flags,
    text: [
      rows.some(({ verdict }) => verdict === null) ? DRIFT : NO_FLOOR,
      `Differences within ±${asked(plan.equivalence)} count as the same.`,
    ],
  });
  return {
    title: 'overhead compare',
    intro: [
      `Measured ${old.record.startedAt} and ${startedAt} on ${machineText(machine)}. The two runs were not ` +
        'interleaved, and the machine may have changed in between: `ab` measures both together.',
    ],
    warnings: differences.map(
      (each) => `Not the same in both runs, but compared (--force): ${each}.`,
    ),
    sections: [table],
    foot: [],
  };
}

const COLUMNS: Column<RecordRow>[] = [
  amount('CPU µs/request', 'old', ({ cpu }) => plusMinus(cpu.old, 1000)),
  amount('CPU µs/request', 'new', ({ cpu }) => plusMinus(cpu.new, 1000)),
  amount('more than before', 'as measured', ({ change }) => changeText(change)),
  amount('more than before', 'with the drift', ({ certain, verdict }) => {
    if (verdict === null || certain.kind !== 'interval') return null;
    return `${percent(certain.low)} to ${percent(certain.high)}`;
  }),
  words('', 'verdict', ({ verdict }) => verdict ?? 'shows the drift'),
];

const DRIFT =
  'The floor is the same server in both runs: how far it has moved, or may have, is added to both ends of every interval.';
const NO_FLOOR =
  'The two runs have no floor in common: how far the machine itself has moved is not known, so there are no verdicts.';
