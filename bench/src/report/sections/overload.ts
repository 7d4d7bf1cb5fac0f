import type { Overload, OverloadRow } from '../../summary/overload.ts';
import type { Section } from '../document.ts';
import { count, duration, latencyTime, milliseconds, NONE, number, percent } from '../format.ts';
import { loadFlags } from '../names.ts';
import { Notes, without } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';
import { fewestFirst, stepName } from './steps.ts';

/** What becomes of the requests of an overload, and what can be said of their latency. */
export function overloadSection(
  { load, rows: all }: Overload,
  { isPublished }: { isPublished: boolean },
): Section {
  const published = isPublished ? ', as published' : '';
  const heading = `Overload${published}: ${loadFlags(load)}, ${duration(load.sliceNs)} in each launch`;
  if (isUnreached(all.map(({ summary }) => summary))) return unreachedSection(heading);
  const byTarget = Map.groupBy(all, ({ target }) => target);
  const rows = [...byTarget.values()].flatMap(fewestFirst);
  const labelOf = ({ target, topology }: OverloadRow) => stepName(target, topology, byTarget.size);
  // The whole table says who had no answer.
  const flagsOf = ({ summary }: OverloadRow) => without('CENSORED', summary.flags);
  const notes = new Notes(rows.map((row) => ({ label: labelOf(row), flags: flagsOf(row) })));
  const columns = [...overloadColumns(rows), ...notes.column('latency', flagsOf)];
  const table = tableOf({ head: 'processes', cell: labelOf }, columns, rows);
  return section(heading, [table, ...notes.blocks(), paragraph(READING)], notes.codes);
}

const { leading, figure, latency } = columnsOfCells<OverloadRow>(({ summary }) => summary);

function overloadColumns(rows: OverloadRow[]): Column<OverloadRow>[] {
  return [
    leading('outcomes', 'sent', (_, { outcomes }) => count(outcomes.sent)),
    figure('outcomes', 'answered', (_, { outcomes }) => count(outcomes.answered)),
    ...(rows.some(({ outcomes }) => outcomes.wrong > 0)
      ? [figure('outcomes', 'wrong\nanswer', (_, { outcomes }) => count(outcomes.wrong))]
      : []),
    figure('outcomes', 'timed\nout', (_, { outcomes }) => count(outcomes.timedOut)),
    ...(rows.some(({ outcomes }) => outcomes.disconnected > 0)
      ? [
          figure('outcomes', 'lost with a\nconnection', (_, { outcomes }) =>
            count(outcomes.disconnected),
          ),
        ]
      : []),
    figure('outcomes', 'never\nanswered', (_, { outcomes: { neverAnswered } }) => {
      return neverAnswered === null ? NONE : count(neverAnswered);
    }),
    figure('share', 'answered\nof sent', (_, { outcomes }) => {
      return outcomes.sent === 0 ? NONE : percent(outcomes.answered / outcomes.sent);
    }),
    figure('share', 'most\npossible', (_, { possible }) => {
      return possible === null ? NONE : `≤ ${number(possible)}`;
    }),
    figure('share', 'work done\nper answer', (_, { work }) => {
      return work === null ? NONE : `${number(work.perAnswer)} ×`;
    }),
    latency('p50\nms', ({ p50 }) => latencyTime(p50)),
    latency('p99\nms', ({ p99 }) => latencyTime(p99)),
    latency('mean\nms', ({ mean }) => latencyTime(mean)),
    latency("survivors'\nmean, ms", ({ survivors, mean }) => {
      if (survivors.count === 0) return NONE;
      const text = milliseconds(survivors.meanNs);
      return mean.kind === 'known' ? text : { text, emphasis: 'struck' };
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
