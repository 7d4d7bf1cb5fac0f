import { pointOf } from '../../math/statistics.ts';
import type { Comparison, Verdict } from '../../math/verdicts.ts';
import type { Manager, Topology } from '../../plan/topology.ts';
import type { Tax, TaxRow } from '../../summary/tax.ts';
import type { Section } from '../document.ts';
import {
  megabytes,
  memoryText,
  NONE,
  plusMinus,
  ratioRange,
  signedPercent,
  signedPlusMinus,
} from '../format.ts';
import { Notes } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';

/** What keeping a target's processes costs, one way beside the other. */
export function taxSection({ target, rows }: Tax): Section {
  const heading = `What a process manager costs ${target.label}, under the cost load`;
  if (isUnreached(rows.map(({ summary }) => summary))) return unreachedSection(heading);
  const notes = new Notes(
    rows.map(({ topology, summary }) => ({ label: wayOf(topology), flags: summary.flags })),
  );
  const columns = [...COLUMNS, ...notes.column<TaxRow>('memory', ({ summary }) => summary.flags)];
  const name = { head: 'a process under', cell: ({ topology }: TaxRow) => wayOf(topology) };
  const text = paragraph(`${costSentence(rows)} ${READING}`);
  return section(heading, [tableOf(name, columns, rows), ...notes.blocks(), text], notes.codes);
}

const { leading, figure } = columnsOfCells<TaxRow>(({ summary }) => summary);

const COLUMNS: Column<TaxRow>[] = [
  leading('cpu', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
  more('µs more than\nplain node', ({ difference }) => signedPlusMinus(difference, 1000)),
  more('times', ({ ratio }) => ratioRange(ratio)),
  { ...more('verdict', ({ verdict }) => verdict), text: true },
  figure('memory', 'MB of\nworkers', ({ memory }) => memoryText(memory.server)),
  figure('memory', 'MB of\nmanager', ({ memory: { manager } }) => {
    return manager === 0 ? NONE : megabytes(manager);
  }),
];

function more(head: string, text: (of: Comparison) => string): Column<TaxRow> {
  return { group: 'cpu', head, cell: ({ comparison }) => (comparison ? text(comparison) : NONE) };
}

const WAYS: Record<Manager, string> = {
  none: 'nothing: plain node',
  pm2: 'pm2 cluster mode',
  'pm2 with pmx': 'pm2 cluster mode with pmx',
  'pm2 fork': 'pm2 fork mode',
  'node:cluster': 'node:cluster',
};

function wayOf({ manager, processes }: Topology): string {
  return processes === 1 ? WAYS[manager] : `${WAYS[manager]} × ${processes}`;
}

/** How a request compares with one of plain `node`. */
const COSTS: Record<Verdict, string> = {
  slower: 'costs more CPU under',
  faster: 'costs less CPU under',
  same: 'costs as much under',
  "can't tell": "can't be told from it under",
};

const list = new Intl.ListFormat('en-GB');

function costSentence(rows: TaxRow[]): string {
  const compared = rows.flatMap(({ topology, comparison }) => {
    const ratio = comparison ? pointOf(comparison.ratio) : null;
    if (comparison === null || ratio === null) return [];
    const way = `${wayOf(topology)} (${signedPercent(ratio - 1)})`;
    return [{ way, verdict: comparison.verdict }];
  });
  if (compared.length === 0) return 'There is nothing to compare with plain node.';
  const parts = [...Map.groupBy(compared, ({ verdict }) => verdict)].map(([verdict, those]) => {
    return `${COSTS[verdict]} ${list.format(those.map(({ way }) => way))}`;
  });
  return `Beside plain node, a request ${parts.join('; it ')}.`;
}

const READING =
  'pmx is the monitoring that pm2 has on by default; it looks into every request, and is off in the other ' +
  "rows. pm2's own memory comes once for all servers under it, that of a node:cluster primary for each.";
