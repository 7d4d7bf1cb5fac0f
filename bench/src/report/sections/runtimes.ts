import { pointOf } from '../../math/statistics.ts';
import type { Verdict } from '../../math/verdicts.ts';
import type { RuntimeRow, RuntimeTable } from '../../summary/runtimes.ts';
import { withoutRuntime } from '../../targets/copies.ts';
import { isSameRuntime, type Runtime, runtimeName } from '../../targets/runtime.ts';
import type { Section } from '../document.ts';
import { NONE, plusMinus, ratioRange, signedPercent } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';

/** Every target on each runtime, beside itself on the first one. */
export function runtimeSection({ rows, base, unkept, condition }: RuntimeTable): Section {
  const heading = `Runtimes, read ${conditionName(condition)}`;
  if (isUnreached(rows.map(({ summary }) => summary))) return unreachedSection(heading);
  const notes = new Notes(rows.map(({ target, flags }) => ({ label: target.label, flags })));
  const columns = [...columnsOver(base), ...notes.column<RuntimeRow>('', ({ flags }) => flags)];
  const name = { head: 'target', cell: ({ target }: RuntimeRow) => withoutRuntime(target).label };
  const sentences = [...runtimeSentences(rows, base), READING, ...unkeptSentence(unkept)];
  const text = paragraph(sentences.join(' '));
  return section(heading, [tableOf(name, columns, rows), ...notes.blocks(), text], notes.codes);
}

const { leading, figure } = columnsOfCells<RuntimeRow>(({ summary }) => summary);

function columnsOver(base: Runtime): Column<RuntimeRow>[] {
  return [
    { group: '', head: 'on', text: true, cell: ({ runtime }) => runtimeName(runtime) },
    leading('cpu', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
    {
      group: 'cpu',
      head: `times that on\n${runtimeName(base)}`,
      cell: ({ comparison }) => (comparison ? ratioRange(comparison.ratio) : NONE),
    },
    {
      group: 'cpu',
      head: 'verdict',
      text: true,
      cell: ({ comparison }) => comparison?.verdict ?? NONE,
    },
    figure('throughput', 'requests/s', ({ throughput }) => plusMinus(throughput)),
  ];
}

/** What a runtime takes, beside the first one. */
const TAKES: Record<Verdict, string> = {
  slower: 'takes more CPU for a request to',
  faster: 'takes less CPU for a request to',
  same: 'takes as much CPU for a request to',
  "can't tell": "can't be told from it for",
};

const list = new Intl.ListFormat('en-GB');

/** What the table shows, a sentence for each runtime but the first. */
export function runtimeSentences(rows: RuntimeRow[], base: Runtime): string[] {
  const compared = rows.flatMap(({ target, runtime, comparison }) => {
    const ratio = comparison ? pointOf(comparison.ratio) : null;
    if (comparison === null || ratio === null) return [];
    const what = `${withoutRuntime(target).label} (${signedPercent(ratio - 1)})`;
    return [{ runtime, what, verdict: comparison.verdict }];
  });
  if (compared.length === 0) return [`There is nothing to compare with ${runtimeName(base)}.`];
  const others = rows
    .map(({ runtime }) => runtime)
    .filter((each, index, all) => all.findIndex((other) => isSameRuntime(other, each)) === index);
  return others.flatMap((runtime) => {
    const own = compared.filter((each) => isSameRuntime(each.runtime, runtime));
    const parts = [...Map.groupBy(own, ({ verdict }) => verdict)].map(([verdict, those]) => {
      return `${TAKES[verdict]} ${list.format(those.map(({ what }) => what))}`;
    });
    const beside = `Beside ${runtimeName(base)}, ${runtimeName(runtime)}`;
    return parts.length === 0 ? [] : [`${beside} ${parts.join('; it ')}.`];
  });
}

function unkeptSentence(unkept: Runtime[]): string[] {
  if (unkept.length === 0) return [];
  return [
    `Process managers keep only Node: ${list.format(unkept.map(runtimeName))} ran as single processes.`,
  ];
}

const READING =
  'Each target is compared with itself on the first runtime; overheads and × the floor stay within a runtime. ' +
  'CPU time counts all threads of a process, those of its garbage collector and compiler too.';
