import type { RuntimeRow, RuntimeTable } from '../../summary/comparisons.ts';
import { withoutRuntime } from '../../targets/copies.ts';
import { type Runtime, runtimeName } from '../../targets/runtime.ts';
import type { Section } from '../document.ts';
import { list } from '../format.ts';
import { conditionName } from '../names.ts';
import { cellSection } from '../section.ts';
import { words } from '../tabulate.ts';
import { CPU_HEAD, columnsOfCells, comparisonColumns, cpuText, throughputText } from './columns.ts';
import { cpuByVerdict } from './verdict-words.ts';

const cellOf = ({ summary }: RuntimeRow) => summary;
const { leading, figure } = columnsOfCells(cellOf);
const { times, verdict } = comparisonColumns<RuntimeRow>('cpu', ({ comparison }) => comparison);

/** Every target on each runtime, compared with itself on the first one. */
export function runtimeSection({ rows, base, unkept, condition }: RuntimeTable): Section {
  return cellSection(`Runtimes, ${conditionName(condition)}`, cellOf, {
    name: ['target', nameOf],
    columns: [
      words('', 'on', ({ runtime }) => runtimeName(runtime)),
      leading('cpu', CPU_HEAD, cpuText),
      times(`times that on\n${runtimeName(base)}`),
      verdict(),
      figure('throughput', 'requests/s', throughputText),
    ],
    rows,
    flagsOf: ({ flags }) => flags,
    labelOf: ({ target }) => target.label,
    text: [
      ...comparedText(rows, base),
      'Each target is compared with itself on the first runtime; overheads and × the floor stay within a runtime. CPU time ' +
        'counts all threads of a process, garbage collector and compiler included.',
      ...unkeptText(unkept),
    ],
  });
}

function nameOf({ target }: RuntimeRow): string {
  return withoutRuntime(target).label;
}

/** A sentence for each runtime but the first. */
function comparedText(rows: readonly RuntimeRow[], base: Runtime): string[] {
  const byRuntime = Map.groupBy(rows, ({ runtime }) => runtimeName(runtime));
  const sentences = [...byRuntime].flatMap(([name, own]) => {
    const text = cpuByVerdict(own, 'for', nameOf);
    return text === null ? [] : [`${name} compared with ${runtimeName(base)}: ${text}.`];
  });
  const none = `There is nothing to compare with ${runtimeName(base)}.`;
  return sentences.length === 0 ? [none] : sentences;
}

function unkeptText(unkept: readonly Runtime[]): string[] {
  if (unkept.length === 0) return [];
  const names = list(unkept.map(runtimeName));
  return [`Process managers run only Node, so ${names} ran as single processes.`];
}
