import { type HostState, problemsOf } from '../load/host-state.ts';
import type { Section } from './document.ts';
import { count, milliseconds } from './format.ts';
import { paragraph, unheaded } from './section.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** What machines that send load have, and what of it is in the way of so many connections of each. */
export function hostsSections(hosts: readonly HostState[], connections: number): Section[] {
  const problems = hosts.flatMap((host) => {
    return problemsOf(host, connections).map(
      (each) => `${nameOf(host)}: ${each.what}. ${each.todo}`,
    );
  });
  const table = tableOf(['machine', nameOf], COLUMNS, [...hosts]);
  return [unheaded(table), ...problems.map((text) => unheaded(paragraph(text)))];
}

export function nameOf({ name }: HostState): string {
  return name ?? 'this machine';
}

const orUnknown = (value: number | null) => (value === null ? null : count(value));

const COLUMNS: Column<HostState>[] = [
  words('', 'k6', ({ k6 }) => k6),
  amount('', 'cores', ({ cores }) => count(cores)),
  amount('', 'open\nfiles', ({ files }) => (files === null ? 'any' : count(files))),
  amount('', 'local\nports', ({ localPorts }) => orUnknown(localPorts)),
  amount('', 'in\nTIME_WAIT', ({ timeWait }) => orUnknown(timeWait)),
  amount('', 'somaxconn', ({ backlog }) => orUnknown(backlog)),
  words('', 'clock\nsynchronised', ({ synchronised }) => synchronised),
  amount('', 'clock ahead\nms', ({ name, clockAheadNs, clockErrorNs }) => {
    return name === null ? null : `${milliseconds(clockAheadNs)} ±${milliseconds(clockErrorNs)}`;
  }),
  words('', 'CPU\ngovernor', ({ governor }) => governor),
];
