import type { Latency } from '../figures/latency.ts';
import type { ClosedLoad } from '../plan/loads.ts';
import { DEFAULTS } from '../request/defaults.ts';
import type { Overload, OverloadRow } from '../summary/overload.ts';
import { count, duration, latencyTime, milliseconds, NONE, number, percent } from './format.ts';
import { loadFlags } from './names.ts';
import { flagsBeside, Notes } from './notes.ts';
import { fewestFirst, stepName } from './scaling-table.ts';
import { isUnreached, section, unreachedSection } from './section.ts';
import { type Column, type Look, renderTable } from './table.ts';

/** What becomes of the requests of an overload, and what can be said of their latency. */
export function overloadTable({ load, rows: all }: Overload, look: Look): string {
  const byTarget = Map.groupBy(all, ({ target }) => target);
  const rows = [...byTarget.values()].flatMap(fewestFirst);
  const labelOf = ({ target, topology }: OverloadRow) => stepName(target, topology, byTarget.size);
  const notes = new Notes(
    rows.map((row) => ({ label: labelOf(row), flags: flagsBeside(row.summary) })),
  );
  const columns: Column<OverloadRow>[] = [
    {
      group: 'fates',
      head: 'sent',
      cell: ({ summary: { outcome }, fates }) => {
        return outcome.state === 'measured' ? count(fates.sent) : outcome.state;
      },
    },
    figure('fates', 'answered', ({ fates }) => count(fates.answered)),
    ...(rows.some(({ fates }) => fates.wrong > 0)
      ? [figure('fates', 'wrong\nanswer', ({ fates }) => count(fates.wrong))]
      : []),
    figure('fates', 'timed\nout', ({ fates }) => count(fates.timedOut)),
    ...(rows.some(({ fates }) => fates.disconnected > 0)
      ? [figure('fates', 'lost with a\nconnection', ({ fates }) => count(fates.disconnected))]
      : []),
    figure('fates', 'never\nanswered', ({ fates: { neverAnswered } }) => {
      return neverAnswered === null ? NONE : count(neverAnswered);
    }),
    figure('share', 'answered\nof sent', ({ fates }) => {
      return fates.sent === 0 ? NONE : percent(fates.answered / fates.sent);
    }),
    figure('share', 'most\npossible', ({ possible }) => {
      return possible === null ? NONE : `≤ ${number(possible)}`;
    }),
    figure('share', 'work done\nper answer', ({ work }) => {
      return work === null ? NONE : `${number(work.perAnswer)} ×`;
    }),
    latency('p50\nms', ({ p50 }) => latencyTime(p50)),
    latency('p99\nms', ({ p99 }) => latencyTime(p99)),
    latency('mean\nms', ({ mean }) => latencyTime(mean)),
    latency("survivors'\nmean, ms", ({ survivors, mean }) => {
      if (survivors.count === 0) return NONE;
      const text = milliseconds(survivors.meanNs);
      return mean.kind === 'known' ? text : look.strike(text);
    }),
    ...notes.column<OverloadRow>('latency', ({ summary }) => flagsBeside(summary)),
  ];
  const published = isPublished(load) ? ', as published' : '';
  const heading = `Overload${published}: ${loadFlags(load)}, ${duration(load.sliceNs)} in each launch`;
  if (isUnreached(rows.map(({ summary }) => summary))) return unreachedSection(heading, look);
  const table = renderTable({ head: 'processes', cell: labelOf }, columns, rows, look);
  return section(heading, table, READING, look, notes.text(look));
}

const READING =
  'Never answered: still waiting when the load ended. Latency is of all requests sent: one without an answer counts as longer than it had waited ' +
  '(the Kaplan–Meier estimate), so what falls among those is only known to be above that. ' +
  "Survivors' mean: of the answered ones alone, which is what was published; where others got no answer it " +
  'says nothing of the server, and is crossed out. Most possible: by the bound of the table ' +
  'above, in all windows together. Work done per answer: the CPU time of so many requests, as they cost ' +
  'under the feasible load, went into each answer that was received; what is above 1 was done for clients ' +
  'that had left.';

function isPublished({ connections, pipelining }: ClosedLoad): boolean {
  const { full } = DEFAULTS.cluster;
  return connections === full.connections && pipelining === full.pipelining;
}

function figure(
  group: string,
  head: string,
  text: (row: OverloadRow) => string,
): Column<OverloadRow> {
  const cell = (row: OverloadRow) => (row.summary.outcome.state === 'measured' ? text(row) : NONE);
  return { group, head, cell };
}

function latency(head: string, text: (latency: Latency) => string): Column<OverloadRow> {
  return figure('latency', head, ({ summary: { outcome } }) => {
    if (outcome.state !== 'measured' || outcome.figures.latency === null) return NONE;
    return text(outcome.figures.latency);
  });
}
