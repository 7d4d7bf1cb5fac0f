import { pointOf } from '../../math/statistics.ts';
import type { Verdict } from '../../math/verdicts.ts';
import type { RuntimeRow, RuntimeTable } from '../../summary/runtimes.ts';
import { withoutRuntime } from '../../targets/copies.ts';
import { isSameRuntime, type Runtime, runtimeName } from '../../targets/runtime.ts';
import type { Section } from '../document.ts';
import { list, plusMinus, signedPercent } from '../format.ts';
import { conditionName } from '../names.ts';
import { cellSection } from '../section.ts';
import { words } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { comparisonColumns } from './comparison-columns.ts';
import { verdictParts } from './verdict-sentence.ts';

const cellOf = ({ summary }: RuntimeRow) => summary;
const { leading, figure } = columnsOfCells(cellOf);
const { times, verdict } = comparisonColumns<RuntimeRow>('cpu', ({ comparison }) => comparison);

/** Every target on each runtime, beside itself on the first one. */
export function runtimeSection({ rows, base, unkept, condition }: RuntimeTable): Section {
  return cellSection(`Runtimes, read ${conditionName(condition)}`, cellOf, {
    name: ['target', ({ target }) => withoutRuntime(target).label],
    columns: [
      words('', 'on', ({ runtime }) => runtimeName(runtime)),
      leading('cpu', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
      times(`times that on\n${runtimeName(base)}`),
      verdict(),
      figure('throughput', 'requests/s', ({ throughput }) => plusMinus(throughput)),
    ],
    rows,
    flagsOf: ({ flags }) => flags,
    labelOf: ({ target }) => target.label,
    text: [...runtimeSentences(rows, base), READING, ...unkeptSentence(unkept)],
  });
}

/** What a runtime takes, beside the first one. */
const TAKES: Record<Verdict, string> = {
  slower: 'takes more CPU for a request to',
  faster: 'takes less CPU for a request to',
  same: 'takes as much CPU for a request to',
  "can't tell": "can't be told from it for",
};

/** What the table shows, a sentence for each runtime but the first. */
export function runtimeSentences(rows: readonly RuntimeRow[], base: Runtime): string[] {
  const compared = rows.flatMap(({ target, runtime, comparison }) => {
    const ratio = comparison && pointOf(comparison.ratio);
    if (!comparison || ratio === null) return [];
    const what = `${withoutRuntime(target).label} (${signedPercent(ratio - 1)})`;
    return [{ runtime, what, verdict: comparison.verdict }];
  });
  if (compared.length === 0) return [`There is nothing to compare with ${runtimeName(base)}.`];
  const runtimes = compared
    .map(({ runtime }) => runtime)
    .filter((each, index, all) => all.findIndex((other) => isSameRuntime(other, each)) === index);
  return runtimes.map((runtime) => {
    const own = compared.filter((each) => isSameRuntime(each.runtime, runtime));
    return `Beside ${runtimeName(base)}, ${runtimeName(runtime)} ${verdictParts(own, TAKES)}.`;
  });
}

function unkeptSentence(unkept: readonly Runtime[]): string[] {
  if (unkept.length === 0) return [];
  const names = list(unkept.map(runtimeName));
  return [`Process managers keep only Node: ${names} ran as single processes.`];
}

const READING =
  'Each target is compared with itself on the first runtime; overheads and × the floor stay within a runtime. ' +
  'CPU time counts all threads of a process, those of its garbage collector and compiler too.';
