import { pooled } from '../figures/times.ts';
import type { ClockDifference } from '../load/clock-offset.ts';
import type { HostState } from '../load/host-state.ts';
import type { PodOutput } from '../load/k8s.ts';
import type { LoopCounts } from '../load/tally.ts';
import type { SharingRow, Sides } from '../summary/network.ts';
import { amount, type Column, type Section, tableOf, words } from './document.ts';
import { changeText, count, milliseconds, number, percent, plusMinus } from './format.ts';
import { loadName } from './names.ts';
import { section, unheaded } from './section.ts';
import { PLACE } from './sections/columns.ts';

/** The machines of a run, and what of them is in the way of the load. */
export function hostsSections(hosts: readonly HostState[], problems: readonly string[]): Section[] {
  return [tableOf(['machine', nameOf], HOSTS, hosts), ...problems].map(unheaded);
}

export function nameOf({ name }: HostState): string {
  return name ?? 'this machine';
}

const HOSTS: Column<HostState>[] = [
  words('', 'k6', ({ k6 }) => k6),
  amount('', 'cores', ({ cores }) => count(cores)),
  amount('', 'open\nfiles', ({ files }) => (files === null ? 'any' : count(files))),
  amount('', 'local\nports', ({ localPorts }) => count(localPorts)),
  amount('', 'in\nTIME_WAIT', ({ timeWait }) => count(timeWait)),
  amount('', 'somaxconn', ({ backlog }) => count(backlog)),
  words('', 'clock\nsynchronised', ({ synchronised }) => synchronised),
  amount('', 'clock ahead\nms', ({ name, clockAheadNs, clockErrorNs }) => {
    return name === null ? null : `${milliseconds(clockAheadNs)} ±${milliseconds(clockErrorNs)}`;
  }),
  words('', 'CPU\ngovernor', ({ governor }) => governor),
];

/** A run on one machine beside the same on two: what it costs to have generator and servers on the same machine. */
export function oneMachineSection(rows: readonly SharingRow[]): Section {
  const text =
    'The servers and their machine are the same in both; on one machine the generator runs there too. The two were ' +
    'measured one after the other, so changes of the machine in between are in the differences.';
  return section('One machine beside two', [tableOf(PLACE, ONE_MACHINE, rows), text]);
}

const ONE_MACHINE: Column<SharingRow>[] = [
  words('', 'load', ({ load }) => loadName(load)),
  ...besideColumns('µs/request', ({ cpu }) => cpu, 1000),
  ...besideColumns('requests/s', ({ throughput }) => throughput),
  ...besideColumns('mean ms', ({ latency }) => latency, 1e6),
];

function besideColumns(unit: string, of: (row: SharingRow) => Sides, scale = 1) {
  return [
    amount<SharingRow>(unit, `${unit}\non two`, (row) => plusMinus(of(row).two, scale)),
    amount<SharingRow>(unit, `${unit}\non one`, (row) => plusMinus(of(row).one, scale)),
    amount<SharingRow>(unit, 'more\non one', (row) => changeText(of(row).change)),
  ];
}

/** How another machine's clock differs; no figure depends on it. */
export function clockText(host: string, { aheadMs, errorMs, driftMsPerH }: ClockDifference) {
  const direction = aheadMs >= 0 ? 'ahead' : 'behind';
  const difference = `The clock of ${host} is ${number(Math.abs(aheadMs))} ms ${direction}, ±${number(errorMs)} ms`;
  if (driftMsPerH === null) return `${difference}, with no measurable drift.`;
  const verb = driftMsPerH >= 0 ? 'gains' : 'loses';
  return `${difference}, and ${verb} ${number(Math.abs(driftMsPerH))} ms an hour.`;
}

/** What each pod of a cluster sent, and the outcome of all their requests. */
export function clusterLoadSections(pods: readonly PodOutput[], counted: LoopCounts): Section[] {
  return [
    section('Pods', [tableOf(['pod', ({ pod }) => pod], PODS, pods)]),
    section('All together', [ledgerText(counted), latencyText(counted)]),
  ];
}

const PODS: Column<PodOutput>[] = [
  amount('', 'sent', ({ output }) => output && count(output.requests.length)),
  amount('', 'dropped', ({ output }) => output && count(output.dropped)),
  amount('', 'answered as\ndeclared', ({ output }) => {
    return output && count(output.requests.filter(({ end }) => end?.ending === 'ok').length);
  }),
];

function ledgerText({ pace, window }: LoopCounts): string {
  const { planned, dropped, lost } = pace ?? { planned: window.sent, dropped: 0, lost: 0 };
  const { sent, ok, wrongStatus, wrongBody, timedOut, disconnected } = window;
  const open = sent - ok - wrongStatus - wrongBody - timedOut - disconnected;
  const lostText =
    lost === 0 ? '' : ` ${count(lost)} (${percent(lost / planned)}) belong to pods that were lost.`;
  return (
    `Of ${count(planned)} planned requests ${count(sent)} were sent and ${count(dropped)} dropped.${lostText} ` +
    `Of those sent ${count(ok)} were answered as declared, ${count(wrongStatus)} with another status, ` +
    `${count(wrongBody)} with another body; ${count(timedOut)} timed out, ${count(disconnected)} were disconnected, ` +
    `${count(open)} were in flight at the end.`
  );
}

function latencyText({ latencyHistogram }: LoopCounts): string {
  const times = pooled([latencyHistogram]);
  const parts = [0.5, 0.95, 0.99].map((share) => {
    return `p${share * 100} ${milliseconds(times.quantile(share) * 1000)} ms`;
  });
  return `Latency of those answered as declared: ${parts.join(', ')}.`;
}
