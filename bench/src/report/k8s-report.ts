import { pooled } from '../figures/times.ts';
import type { PodTold } from '../load/k8s.ts';
import type { Counted } from '../load/loop.ts';
import type { Section } from './document.ts';
import { count, milliseconds, percent } from './format.ts';
import { paragraph, section } from './section.ts';
import { amount, type Column, tableOf } from './tabulate.ts';

/** What pods of a cluster sent, one by one, and what all of it came to. */
export function clusterLoadSections(pods: readonly PodTold[], counted: Counted): Section[] {
  return [
    section('Pods', [tableOf(['pod', ({ pod }) => pod], COLUMNS, pods)]),
    section('All together', [paragraph(ledgerText(counted)), paragraph(latencyText(counted))]),
  ];
}

const COLUMNS: Column<PodTold>[] = [
  amount('', 'sent', ({ told }) => told && count(told.requests.length)),
  amount('', 'dropped', ({ told }) => told && count(told.dropped)),
  amount('', 'answered as\ndeclared', ({ told }) => {
    return told && count(told.requests.filter(({ end }) => end?.ending === 'ok').length);
  }),
];

function ledgerText({ pace, window }: Counted): string {
  const { planned, dropped, lost } = pace ?? { planned: window.sent, dropped: 0, lost: 0 };
  const { sent, ok, wrongStatus, wrongBody, timedOut, disconnected } = window;
  const open = sent - ok - wrongStatus - wrongBody - timedOut - disconnected;
  const share =
    lost === 0 ? '' : ` ${count(lost)} (${percent(lost / planned)}) are of pods that were lost.`;
  return (
    `Of ${count(planned)} planned requests ${count(sent)} were sent and ${count(dropped)} dropped.${share} Of those sent ` +
    `${count(ok)} were answered as declared, ${count(wrongStatus)} with another status, ${count(wrongBody)} with another body; ` +
    `${count(timedOut)} timed out, ${count(disconnected)} were disconnected, ${count(open)} were open at the end.`
  );
}

function latencyText({ latencyHistogram }: Counted): string {
  const times = pooled([latencyHistogram]);
  const parts = [0.5, 0.95, 0.99].map(
    (share) => `p${share * 100} ${milliseconds(times.quantile(share) * 1000)} ms`,
  );
  return `Latency of those answered as declared: ${parts.join(', ')}.`;
}
