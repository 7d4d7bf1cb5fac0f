import { LONE_SHARE } from '../../plan/loads.ts';
import type { MainRow, MainTable } from '../../summary/mains.ts';
import { uniqueFlags } from '../../validity/flags.ts';
import type { Section } from '../document.ts';
import { percent, plusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { tableSection } from '../section.ts';
import { amount, type Column } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { comparisonColumns } from './comparison-columns.ts';
import { roleName } from './role-words.ts';

const { figure, latency } = columnsOfCells<MainRow>(({ summary }) => summary);

/** What a request costs each server and its services, beside one of them. */
export function mainSection(table: MainTable): Section {
  const { rows, roles, condition } = table;
  return tableSection(`CPU of a request, ${conditionName(condition)}`, {
    name: ['target', ({ summary }) => summary.target.label],
    columns: columnsOf(table),
    rows,
    flagsOf: ({ summary, beside }) => uniqueFlags([...summary.flags, ...(beside?.flags ?? [])]),
    text: [busySentence(table), ...(roles.length > 1 ? [TOGETHER] : [])],
  });
}

function columnsOf({ roles, base }: MainTable): Column<MainRow>[] {
  // Of the services alone nobody asks how many times it is.
  const compared = roles.length > 1 ? [0, roles.length - 1] : [0];
  return [
    ...roles.map((role, place) => {
      return amount<MainRow>('cpu', `${roleName(role)}\nµs/request`, ({ summary, cpu }) => {
        const { state } = summary.outcome;
        if (state !== 'measured') return place === 0 ? state : null;
        return plusMinus(cpu[place], 1000);
      });
    }),
    ...compared.flatMap((place) => {
      const { times, verdict } = comparisonColumns<MainRow>('times', ({ beside }) => {
        return beside?.costs.at(place)?.comparison;
      });
      return [times(`${roleName(roles[place] ?? 'server')}, times\n${base.label}`), verdict()];
    }),
    latency('p50\nms', 'p50'),
    latency('p99\nms', 'p99'),
    figure('latency', 'busy', (_, { busy }) => percent(busy)),
  ];
}

/** Whether requests came alone, to all servers that are compared here. */
function busySentence({ busiest: { target, busy }, condition: { cells } }: MainTable): string {
  const limit = percent(LONE_SHARE);
  return busy < LONE_SHARE
    ? `Each of the ${cells.length} servers that ran at this rate was busy for less than ${limit} of the time, ` +
        `the most ${target.label} (${percent(busy)}): nearly every request came alone.`
    : `${target.label} was busy for ${percent(busy)} of the time, not less than ${limit}: some of its requests ` +
        'did not come alone, and cost less for it.';
}

const TOGETHER = 'Together is the server with all services that it needs.';
