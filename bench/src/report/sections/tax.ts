import { pointOf } from '../../math/statistics.ts';
import type { Verdict } from '../../math/verdicts.ts';
import type { Manager } from '../../plan/topology.ts';
import type { Tax, TaxRow } from '../../summary/tax.ts';
import type { Section } from '../document.ts';
import { plusMinus, signedPercent } from '../format.ts';
import { cellSection } from '../section.ts';
import { columnsOfCells } from './cell-columns.ts';
import { comparisonColumns } from './comparison-columns.ts';
import { verdictParts } from './verdict-sentence.ts';

const cellOf = ({ summary }: TaxRow) => summary;
const { leading, memory } = columnsOfCells(cellOf);
const { more, times, verdict } = comparisonColumns<TaxRow>('cpu', (row) => row.comparison);

/** What keeping a target's processes costs, one way beside the other. */
export function taxSection({ target, rows }: Tax): Section {
  return cellSection(`What a process manager costs ${target.label}, under the cost load`, cellOf, {
    name: ['a process under', wayOf],
    columns: COLUMNS,
    rows,
    flagGroup: 'memory',
    text: [costSentence(rows), READING],
  });
}

const COLUMNS = [
  leading('cpu', 'CPU\nµs/request', ({ cpuPerRequest }) => plusMinus(cpuPerRequest, 1000)),
  more('µs more than\nplain node'),
  times('times'),
  verdict(),
  memory('memory', 'MB of\nworkers', 'server'),
  memory('memory', 'MB of\nmanager', 'manager'),
];

const WAYS: Record<Manager, string> = {
  none: 'nothing: plain node',
  pm2: 'pm2 cluster mode',
  'pm2 with pmx': 'pm2 cluster mode with pmx',
  'pm2 fork': 'pm2 fork mode',
  'node:cluster': 'node:cluster',
  SO_REUSEPORT: 'nothing, with SO_REUSEPORT',
  'worker threads': 'its own worker thread',
};

function wayOf({ topology: { manager, processes } }: Pick<TaxRow, 'topology'>): string {
  return processes === 1 ? WAYS[manager] : `${WAYS[manager]} × ${processes}`;
}

/** How a request compares with one of plain `node`. */
const COSTS: Record<Verdict, string> = {
  slower: 'costs more CPU under',
  faster: 'costs less CPU under',
  same: 'costs as much under',
  "can't tell": "can't be told from it under",
};

function costSentence(rows: readonly TaxRow[]): string {
  const compared = rows.flatMap((row) => {
    const { comparison } = row;
    const ratio = comparison && pointOf(comparison.ratio);
    if (!comparison || ratio === null) return [];
    const what = `${wayOf(row)} (${signedPercent(ratio - 1)})`;
    return [{ what, verdict: comparison.verdict }];
  });
  if (compared.length === 0) return 'There is nothing to compare with plain node.';
  return `Beside plain node, a request ${verdictParts(compared, COSTS)}.`;
}

const READING =
  'pmx is the monitoring that pm2 has on by default; it looks into every request, and is off in the other ' +
  "rows. pm2's own memory comes once for all servers under it, that of a node:cluster primary for each.";
