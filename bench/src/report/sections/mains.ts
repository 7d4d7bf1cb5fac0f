import { SINGLE_REQUEST_SHARE } from '../../plan/loads.ts';
import type { MainRow, MainTable } from '../../summary/mains.ts';
import { uniqueFlags } from '../../validity/flags.ts';
import type { Section } from '../document.ts';
import { percent, plusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { tableSection } from '../section.ts';
import { amount, type Column } from '../tabulate.ts';
import { columnsOfCells, comparisonColumns, roleName } from './columns.ts';

const { figure, latency } = columnsOfCells<MainRow>(({ summary }) => summary);

/** CPU time per request of each server and its services, compared with one server. */
export function mainSection(table: MainTable): Section {
  const { rows, roles, condition } = table;
  return tableSection(`CPU per request, ${conditionName(condition)}`, {
    name: ['target', ({ summary }) => summary.target.label],
    columns: columnsOf(table),
    rows,
    flagsOf: ({ summary, beside }) => uniqueFlags([...summary.flags, ...(beside?.flags ?? [])]),
    text: [busyText(table), ...(roles.length > 1 ? [TOGETHER] : [])],
  });
}

function columnsOf({ roles, base }: MainTable): Column<MainRow>[] {
  // The ratio of the services alone is of no use.
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
    latency('p50'),
    latency('p99'),
    figure('latency', 'busy', (_, { busy }) => percent(busy)),
  ];
}

/** Whether requests to the compared servers came one at a time. */
function busyText({ busiest: { target, busy }, condition: { cells } }: MainTable): string {
  const [most, limit] = [percent(busy), percent(SINGLE_REQUEST_SHARE)];
  return busy < SINGLE_REQUEST_SHARE
    ? `All ${cells.length} servers at this rate were busy for less than ${limit} of the time, ${target.label} the most (${most}): ` +
        'nearly every request came alone.'
    : `${target.label} was busy for ${most} of the time, not less than ${limit}: some of its requests did not come alone, and ` +
        'cost less for it.';
}

const TOGETHER = 'Together is the server with all services that it needs.';
