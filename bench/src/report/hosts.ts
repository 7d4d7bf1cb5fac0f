import { type HostState, problemsOf, type Role } from '../load/host-state.ts';
import type { Section } from './document.ts';
import { count, milliseconds } from './format.ts';
import { paragraph, unheaded } from './section.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** A machine of a run, and what it is for. */
export interface RunHost {
  state: HostState;
  role: Role;
}

/** What the machines of a run have, and what of it is in the way. */
export function hostsSections(hosts: readonly RunHost[]): Section[] {
  const problems = hosts.flatMap(({ state, role }) => {
    return problemsOf(state, role).map(({ what, todo }) => `${nameOf(state)}: ${what}. ${todo}`);
  });
  const states = hosts.map(({ state }) => state);
  const table = tableOf(['machine', nameOf], COLUMNS, states);
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
