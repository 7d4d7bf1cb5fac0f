import type { Overload, OverloadRow } from '../../summary/overload.ts';
import type { Section } from '../document.ts';
import { count, duration, milliseconds, number, percent } from '../format.ts';
import { loadFlags } from '../names.ts';
import { without } from '../notes.ts';
import { cellSection } from '../section.ts';
import type { Column } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { fewestFirst, stepName } from './steps.ts';

const cellOf = ({ summary }: OverloadRow) => summary;
const { leading, figure, latency } = columnsOfCells(cellOf);

/** What becomes of the requests of an overload, and what can be said of their latency. */
export function overloadSection(
  { load, rows: all }: Overload,
  { isPublished }: { isPublished: boolean },
): Section {
  const published = isPublished ? ', as published' : '';
  const heading = `Overload${published}: ${loadFlags(load)}, ${duration(load.sliceNs)} in each launch`;
  const byTarget = Map.groupBy(all, ({ target }) => target);
  const rows = [...byTarget.values()].flatMap(fewestFirst);
  return cellSection(heading, cellOf, {
    name: ['processes', ({ target, topology }) => stepName(target, topology, byTarget.size)],
    columns: overloadColumns(rows),
    rows,
    flagGroup: 'latency',
    // The whole table says who had no answer.
    flagsOf: ({ summary }) => without('CENSORED', summary.flags),
    text: [READING],
  });
}

type Outcomes = OverloadRow['outcomes'];

function overloadColumns(rows: readonly OverloadRow[]): Column<OverloadRow>[] {
  const outcome = (head: string, of: (outcomes: Outcomes) => number | null) => {
    return figure('outcomes', head, (_, { outcomes }) => {
      const value = of(outcomes);
      return value === null ? null : count(value);
    });
  };
  return [
    leading('outcomes', 'sent', (_, { outcomes }) => count(outcomes.sent)),
    outcome('answered', ({ answered }) => answered),
    ...(rows.some(({ outcomes }) => outcomes.wrong > 0)
      ? [outcome('wrong\nanswer', ({ wrong }) => wrong)]
      : []),
    outcome('timed\nout', ({ timedOut }) => timedOut),
    ...(rows.some(({ outcomes }) => outcomes.disconnected > 0)
      ? [outcome('lost with a\nconnection', ({ disconnected }) => disconnected)]
      : []),
    outcome('never\nanswered', ({ neverAnswered }) => neverAnswered),
    figure('share', 'answered\nof sent', (_, { outcomes }) => {
      return outcomes.sent === 0 ? null : percent(outcomes.answered / outcomes.sent);
    }),
    figure('share', 'most\npossible', (_, { possible }) => {
      return possible === null ? null : `≤ ${number(possible)}`;
    }),
    figure(
      'share',
      'work done\nper answer',
      (_, { work }) => work && `${number(work.perAnswer)} ×`,
    ),
    latency('p50\nms', 'p50'),
    latency('p99\nms', 'p99'),
    latency('mean\nms', 'mean'),
    figure('latency', "survivors'\nmean, ms", ({ latency: times }) => {
      if (times === null || times.survivors.count === 0) return null;
      const text = milliseconds(times.survivors.meanNs);
      return times.mean.kind === 'known' ? text : { text, emphasis: 'struck' };
    }),
  ];
}

const READING =
  'Never answered: still waiting when the load ended. Latency is of all requests sent: one without an answer counts as longer than it had waited ' +
  '(the Kaplan–Meier estimate), so what falls among those is only known to be above that. ' +
  "Survivors' mean: of the answered ones alone, which is what was published; where others got no answer it " +
  'says nothing of the server, and is crossed out. Most possible: by the bound of the table ' +
  'above, in all windows together. Work done per answer: the CPU time of so many requests, as they cost ' +
  'under the feasible load, went into each answer that was received; what is above 1 was done for clients ' +
  'that had left.';
