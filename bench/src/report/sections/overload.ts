import type { Overload, OverloadRow } from '../../summary/scaling.ts';
import type { Section } from '../document.ts';
import { count, duration, milliseconds, number, percent } from '../format.ts';
import { loadFlags } from '../names.ts';
import { without } from '../notes.ts';
import { cellSection } from '../section.ts';
import type { Column } from '../tabulate.ts';
import { columnsOfCells } from './columns.ts';
import { fewestFirst, stepName } from './scaling.ts';

const cellOf = ({ summary }: OverloadRow) => summary;
const { leading, figure, latency } = columnsOfCells(cellOf);

/** The outcomes of the requests of an overload, and what is known of their latency. */
export function overloadSection({ load, rows: all }: Overload, isPublished: boolean): Section {
  const title = isPublished ? 'Overload, as published' : 'Overload';
  const heading = `${title}: ${loadFlags(load)}, ${duration(load.sliceNs)} in each launch`;
  const byTarget = Map.groupBy(all, ({ target }) => target);
  const rows = [...byTarget.values()].flatMap(fewestFirst);
  return cellSection(heading, cellOf, {
    name: ['processes', ({ target, topology }) => stepName(target, topology, byTarget.size)],
    columns: overloadColumns(rows),
    rows,
    flagGroup: 'latency',
    // The table itself shows how many requests had no answer.
    flagsOf: ({ summary }) => without('CENSORED', summary.flags),
    text: [
      'Never answered: still waiting when the load ended. Latency is that of all requests sent; one without an answer counts as ' +
        'longer than it waited (Kaplan–Meier estimate), so a figure among those is a lower bound. ' +
        "Survivors' mean: of the answered requests alone, as published; crossed out where others got no answer, since it then " +
        'says nothing of the server. Most possible: by the bound of the table above, in all windows. Work done per answer: CPU ' +
        'time for each answer received, in requests of the feasible load; what is above 1 was done for clients that had left.',
    ],
  });
}

function overloadColumns(rows: readonly OverloadRow[]): Column<OverloadRow>[] {
  type Name = keyof OverloadRow['outcomes'];
  const outcome = (head: string, name: Name) => {
    return figure('outcomes', head, (_, { outcomes }) => {
      const value = outcomes[name];
      return value === null ? null : count(value);
    });
  };
  const whereAny = (head: string, name: Name) => {
    return rows.some(({ outcomes }) => outcomes[name]) ? [outcome(head, name)] : [];
  };
  return [
    leading('outcomes', 'sent', (_, { outcomes }) => count(outcomes.sent)),
    outcome('answered', 'answered'),
    ...whereAny('wrong\nanswer', 'wrong'),
    outcome('timed\nout', 'timedOut'),
    ...whereAny('lost with a\nconnection', 'disconnected'),
    outcome('never\nanswered', 'neverAnswered'),
    figure('share', 'answered\nof sent', (_, { outcomes: { answered, sent } }) => {
      return sent === 0 ? null : percent(answered / sent);
    }),
    figure('share', 'most\npossible', (_, { possible }) => {
      return possible === null ? null : `≤ ${number(possible)}`;
    }),
    figure('share', 'work done\nper answer', (_, { workPerAnswer }) => {
      return workPerAnswer === null ? null : `${number(workPerAnswer)} ×`;
    }),
    latency('p50'),
    latency('p99'),
    latency('mean'),
    figure('latency', "survivors'\nmean, ms", ({ latency: times }) => {
      if (times === null || times.survivors.count === 0) return null;
      const text = milliseconds(times.survivors.meanNs);
      return times.mean.kind === 'known' ? text : { text, emphasis: 'struck' };
    }),
  ];
}
