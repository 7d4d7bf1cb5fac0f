import { LONE_SHARE } from '../../plan/loads.ts';
import type { MainRow, MainTable } from '../../summary/mains.ts';
import type { RoleCost } from '../../summary/role-costs.ts';
import { uniqueFlags } from '../../validity/flags.ts';
import type { Section } from '../document.ts';
import { latencyTime, NONE, percent, plusMinus, ratioRange } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { roleName } from './role-words.ts';

const { figure, latency } = columnsOfCells<MainRow>(({ summary }) => summary);

/** What a request costs each server and its services, beside one of them. */
export function mainSection(table: MainTable): Section {
  const { rows, roles, condition } = table;
  const flagsOf = ({ summary, beside }: MainRow) => {
    return uniqueFlags([...summary.flags, ...(beside?.flags ?? [])]);
  };
  const notes = new Notes(
    rows.map((row) => ({ label: row.summary.target.label, flags: flagsOf(row) })),
  );
  const columns = [...columnsOf(table), ...notes.column<MainRow>('', flagsOf)];
  const name = { head: 'target', cell: ({ summary }: MainRow) => summary.target.label };
  const text = [busySentence(table), ...(roles.length > 1 ? [TOGETHER] : [])].join(' ');
  const blocks = [tableOf(name, columns, rows), ...notes.blocks(), paragraph(text)];
  return section(`CPU of a request, ${conditionName(condition)}`, blocks, notes.codes);
}

function columnsOf({ roles, base }: MainTable): Column<MainRow>[] {
  const of = ({ beside }: MainRow, place: number): RoleCost | undefined => {
    return beside?.costs.at(place);
  };
  // Of the services alone nobody asks how many times it is.
  const compared = roles.length > 1 ? [0, roles.length - 1] : [0];
  return [
    ...roles.map((role, place): Column<MainRow> => {
      return {
        group: 'cpu',
        head: `${roleName(role)}\nµs/request`,
        cell: ({ summary: { outcome }, cpu }) => {
          if (outcome.state !== 'measured') return place === 0 ? outcome.state : NONE;
          return plusMinus(cpu[place] ?? { kind: 'none' }, 1000);
        },
      };
    }),
    ...compared.flatMap((place): Column<MainRow>[] => [
      {
        group: 'times',
        head: `${roleName(roles[place] ?? 'server')}, times\n${base.label}`,
        cell: (row) => ratioRange(of(row, place)?.comparison.ratio ?? { kind: 'none' }),
      },
      {
        group: 'times',
        head: 'verdict',
        text: true,
        cell: (row) => of(row, place)?.comparison.verdict ?? NONE,
      },
    ]),
    latency('p50\nms', ({ p50 }) => latencyTime(p50)),
    latency('p99\nms', ({ p99 }) => latencyTime(p99)),
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
