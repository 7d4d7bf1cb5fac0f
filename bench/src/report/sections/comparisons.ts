import { pointOf } from '../../math/statistics.ts';
import type { Comparison, Verdict } from '../../math/verdicts.ts';
import { isPlain, type Manager, type Topology } from '../../plan/topology.ts';
import type {
  Overhead,
  OverheadTable,
  RuntimeRow,
  RuntimeTable,
  TopologyComparison,
  TopologyRow,
  TopologyTable,
} from '../../summary/comparisons.ts';
import { withoutRuntime } from '../../targets/copies.ts';
import { type Runtime, runtimeName } from '../../targets/runtime.ts';
import { amount, type Column, type Section, tableOf, words } from '../document.ts';
import { intervals, onPage } from '../drawings.ts';
import { list, plusMinus, ratioRange, signedPercent, signedPlusMinus } from '../format.ts';
import { conditionName, loadName, rowName, topologyName } from '../names.ts';
import { cellSection, section, tableSection } from '../section.ts';
import { comparisonColumns, cpu, leading, memory, TARGET, throughput } from './columns.ts';

/** The overhead of each target over what it is built on, or of each variant over its original. */
export function overheadSection({ rows, condition }: OverheadTable, title = 'Overhead'): Section {
  const { more, times, verdict } = comparisonColumns<Overhead>('', (row) => row.comparison);
  return tableSection(`${title}, ${conditionName(condition)}`, {
    name: TARGET,
    columns: [
      words<Overhead>('', 'over', ({ over }) => over.label),
      more('more CPU,\nµs/request'),
      onPage(intervals('values', '', rows, ({ comparison }) => comparison.difference)),
      times('times'),
      verdict(),
    ],
    rows,
    flagsOf: ({ comparison }) => comparison.flags,
    text: [dearestText(rows)],
  });
}

function dearestText(rows: readonly Overhead[]): string {
  const costOf = ({ comparison }: Overhead) => pointOf(comparison.difference) ?? 0;
  const dearest = rows.reduce((most, row) => (costOf(row) > costOf(most) ? row : most));
  if (costOf(dearest) <= 0) return 'No step here costs more CPU than what it is built on.';
  const more = signedPlusMinus(dearest.comparison.difference, 1000);
  const most = `${dearest.target.label} adds the most`;
  return `${most}: ${more} µs of CPU per request over ${dearest.over.label}. ${MAY_BE_NOTHING}`;
}

export const MAY_BE_NOTHING = 'A step whose interval includes 0 may cost nothing.';

/** Requests/s of each target in all topologies. */
export function topologySection({ targets, load }: TopologyTable): Section {
  // Not every target runs in all of them.
  const all = new Set(targets.flatMap(({ rows }) => rows.map(({ topology }) => topology)));
  const table = tableOf(TARGET, [...all].flatMap(topologyColumns), targets);
  return section(`Topologies, ${loadName(load)}`, [table, gainText(targets)]);
}

function topologyColumns(topology: Topology): Column<TopologyComparison>[] {
  const group = topologyName(topology);
  const rowOf = ({ rows }: TopologyComparison) => rows.find((row) => row.topology === topology);
  const { times, verdict } = comparisonColumns<TopologyComparison>(group, (target) => {
    return rowOf(target)?.comparison;
  });
  return [
    amount(group, `${group}\nrequests/s`, (target) => {
      return plusMinus(rowOf(target)?.figures?.throughput);
    }),
    ...(isPlain(topology) ? [] : [times('speed-up over\nsingle'), verdict()]),
  ];
}

function gainText(targets: readonly TopologyComparison[]): string {
  const timesOf = ({ comparison }: TopologyRow) => pointOf(comparison?.ratio) ?? 0;
  const compared = targets.flatMap(({ rows }) => rows.filter((row) => timesOf(row) > 0));
  const faster = compared.filter(({ comparison }) => comparison?.verdict === 'faster');
  const candidates = faster.length > 0 ? faster : compared;
  const [best] = candidates.toSorted((a, b) => timesOf(b) - timesOf(a));
  if (best === undefined) return 'There is no single process to compare the clusters with.';
  const name = rowName(best.target, best.topology);
  const times = ratioRange(best.comparison?.ratio);
  return faster.length > 0
    ? `${name} gains the most: ${times} times the requests/s.`
    : `No cluster is shown to be faster; the best is ${name}: ${times} times.`;
}

/** What each process manager costs a target, compared with plain node. */
export function taxSection({ target, rows }: TopologyComparison): Section {
  const { more, times, verdict } = comparisonColumns<TopologyRow>('cpu', (row) => row.comparison);
  const compared = cpuByVerdict(rows, 'with', managerOf);
  return cellSection(`What a process manager costs ${target.label}, under the cost load`, {
    name: ['run with', managerOf],
    columns: [
      leading(cpu('cpu')),
      more('µs more than\nplain node'),
      times('times'),
      verdict(),
      memory('memory', 'MB of\nworkers', 'server'),
      memory('memory', 'MB of\nmanager', 'manager'),
    ],
    rows,
    flagGroup: 'memory',
    text: [
      compared === null
        ? 'There is nothing to compare with plain node.'
        : `Compared with plain node: ${compared}.`,
      "pmx is pm2's own monitoring: on by default, it hooks into every request; the other rows have it off. pm2's memory " +
        'counts once for all servers under it, that of a node:cluster primary once for each server.',
    ],
  });
}

function managerOf({ topology: { manager, processes } }: TopologyRow): string {
  return `${managerName(manager)}${processes === 1 ? '' : ` × ${processes}`}`;
}

const MANAGERS: Partial<Record<Manager, string>> = {
  none: 'plain node',
  pm2: 'pm2 cluster mode',
  'pm2 with pmx': 'pm2 cluster mode with pmx',
  'pm2 fork': 'pm2 fork mode',
};

/** The name of a process manager, or of what there is in its place. */
export function managerName(manager: Manager): string {
  return MANAGERS[manager] ?? manager;
}

/** Every target on each runtime, compared with itself on the first one. */
export function runtimeSection({ rows, base, unkept, condition }: RuntimeTable): Section {
  const { times, verdict } = comparisonColumns<RuntimeRow>('cpu', (row) => row.comparison);
  const flagsOf = ({ comparison }: RuntimeRow) => comparison?.flags ?? [];
  return cellSection(`Runtimes, ${conditionName(condition)}`, {
    name: ['target', nameOf],
    columns: [
      words<RuntimeRow>('', 'on', ({ runtime }) => runtimeName(runtime)),
      leading(cpu('cpu')),
      times(`times that on\n${runtimeName(base)}`),
      verdict(),
      throughput('throughput'),
    ],
    rows,
    flagsOf,
    noted: rows.map((row) => ({ label: row.target.label, flags: flagsOf(row) })),
    text: [
      ...comparedText(rows, base),
      'Each target is compared with itself on the first runtime; overheads and × the floor stay within a runtime. CPU time ' +
        'counts all threads of a process, garbage collector and compiler included.',
      unkept.length === 0
        ? null
        : `Process managers run only Node, so ${list(unkept.map(runtimeName))} ran as single processes.`,
    ],
  });
}

function nameOf({ target }: RuntimeRow): string {
  return withoutRuntime(target).label;
}

function comparedText(rows: readonly RuntimeRow[], base: Runtime): string[] {
  const byRuntime = Map.groupBy(rows, ({ runtime }) => runtimeName(runtime));
  const sentences = [...byRuntime].flatMap(([name, own]) => {
    const text = cpuByVerdict(own, 'for', nameOf);
    return text === null ? [] : `${name} compared with ${runtimeName(base)}: ${text}.`;
  });
  const none = `There is nothing to compare with ${runtimeName(base)}.`;
  return sentences.length === 0 ? [none] : sentences;
}

const CPU_WORDS: Record<Verdict, string> = {
  slower: 'more CPU',
  faster: 'less CPU',
  same: 'the same CPU',
  "can't tell": "can't tell",
};

/** `more CPU with A (+6.2 %) and B (+9.1 %); the same CPU with C (+0.2 %)`, by verdict; null where none has one. */
function cpuByVerdict<Row extends { comparison: Comparison | null }>(
  rows: readonly Row[],
  preposition: string,
  nameOf: (row: Row) => string,
): string | null {
  const compared = rows.flatMap((row) => {
    const { ratio, verdict } = row.comparison ?? {};
    const value = pointOf(ratio);
    if (value === null || verdict === undefined) return [];
    return [{ name: `${nameOf(row)} (${signedPercent(value - 1)})`, verdict }];
  });
  const parts = [...Map.groupBy(compared, ({ verdict }) => verdict)].map(([verdict, those]) => {
    return `${CPU_WORDS[verdict]} ${preposition} ${list(those.map(({ name }) => name))}`;
  });
  return parts.length === 0 ? null : parts.join('; ');
}
