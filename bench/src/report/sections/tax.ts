import type { Manager, Topology } from '../../plan/topology.ts';
import type { Tax, TaxRow } from '../../summary/comparisons.ts';
import type { Section } from '../document.ts';
import { cellSection } from '../section.ts';
import { CPU_HEAD, columnsOfCells, comparisonColumns, cpuText } from './columns.ts';
import { cpuByVerdict } from './verdict-words.ts';

const cellOf = ({ summary }: TaxRow) => summary;
const { leading, memory } = columnsOfCells(cellOf);
const { more, times, verdict } = comparisonColumns<TaxRow>('cpu', (row) => row.comparison);

/** What each process manager costs a target, compared with plain node. */
export function taxSection({ target, rows }: Tax): Section {
  const compared = cpuByVerdict(rows, 'with', managerOf);
  return cellSection(`What a process manager costs ${target.label}, under the cost load`, cellOf, {
    name: ['run with', managerOf],
    columns: [
      leading('cpu', CPU_HEAD, cpuText),
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

function managerOf({ topology: { manager, processes } }: { topology: Topology }): string {
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
