import { pooled } from '../figures/times.ts';
import type { PodOutput } from '../load/k8s.ts';
import type { Counted } from '../load/tally.ts';
import type { Section } from './document.ts';
import { count, milliseconds, percent, sentences } from './format.ts';
import { paragraph, section } from './section.ts';
import { amount, type Column, tableOf } from './tabulate.ts';

/** What each pod of a cluster sent, and the outcome of all their requests. */
export function clusterLoadSections(pods: readonly PodOutput[], counted: Counted): Section[] {
  return [
    section('Pods', [tableOf(['pod', ({ pod }) => pod], COLUMNS, pods)]),
    section('All together', [paragraph(ledgerText(counted)), paragraph(latencyText(counted))]),
  ];
}

const COLUMNS: Column<PodOutput>[] = [
  amount('', 'sent', ({ output }) => output && count(output.requests.length)),
  amount('', 'dropped', ({ output }) => output && count(output.dropped)),
  amount('', 'answered as\ndeclared', ({ output }) => {
    return output && count(output.requests.filter(({ end }) => end?.ending === 'ok').length);
  }),
];

function ledgerText({ pace, window }: Counted): string {
  const { planned, dropped, lost } = pace ?? { planned: window.sent, dropped: 0, lost: 0 };
  const { sent, ok, wrongStatus, wrongBody, timedOut, disconnected } = window;
  const open = sent - ok - wrongStatus - wrongBody - timedOut - disconnected;
  return sentences(
    `Of ${count(planned)} planned requests ${count(sent)} were sent and ${count(dropped)} dropped.`,
    lost === 0
      ? null
      : `${count(lost)} (${percent(lost / planned)}) belong to pods that were lost.`,
    `Of those sent ${count(ok)} were answered as declared, ${count(wrongStatus)} with another status, ` +
      `${count(wrongBody)} with another body; ${count(timedOut)} timed out, ${count(disconnected)} were disconnected, ` +
      `${count(open)} were in flight at the end.`,
  );
}

function latencyText({ latencyHistogram }: Counted): string {
  const times = pooled([latencyHistogram]);
  const parts = [0.5, 0.95, 0.99].map((share) => {
    return `p${share * 100} ${milliseconds(times.quantile(share) * 1000)} ms`;
  });
  return `Latency of those answered as declared: ${parts.join(', ')}.`;
}
