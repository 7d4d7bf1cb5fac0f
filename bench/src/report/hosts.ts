import { type HostState, problemsOf, type Role } from '../load/host-state.ts';
import type { Section } from './document.ts';
import { count, milliseconds } from './format.ts';
import { paragraph, unheaded } from './section.ts';
import { amount, type Column, tableOf, words } from './tabulate.ts';

/** A machine of a run, and its role. */
export interface RunHost {
  state: HostState;
  role: Role;
}

/** The machines of a run, and what of them is in the way of the load. */
export function hostsSections(hosts: readonly RunHost[]): Section[] {
  const states = hosts.map(({ state }) => state);
  const problems = hosts.flatMap(({ state, role }) => {
    return problemsOf(state, role).map(({ what, todo }) => `${nameOf(state)}: ${what}. ${todo}`);
  });
  return [tableOf(['machine', nameOf], COLUMNS, states), ...problems.map(paragraph)].map(unheaded);
}

export function nameOf({ name }: HostState): string {
  return name ?? 'this machine';
}

const known = (value: number | null) => (value === null ? null : count(value));

const COLUMNS: Column<HostState>[] = [
  words('', 'k6', ({ k6 }) => k6),
  amount('', 'cores', ({ cores }) => count(cores)),
  amount('', 'open\nfiles', ({ files }) => known(files) ?? 'any'),
  amount('', 'local\nports', ({ localPorts }) => known(localPorts)),
  amount('', 'in\nTIME_WAIT', ({ timeWait }) => known(timeWait)),
  amount('', 'somaxconn', ({ backlog }) => known(backlog)),
  words('', 'clock\nsynchronised', ({ synchronised }) => synchronised),
  amount('', 'clock ahead\nms', ({ name, clockAheadNs, clockErrorNs }) => {
    return name === null ? null : `${milliseconds(clockAheadNs)} ±${milliseconds(clockErrorNs)}`;
  }),
  words('', 'CPU\ngovernor', ({ governor }) => governor),
];
