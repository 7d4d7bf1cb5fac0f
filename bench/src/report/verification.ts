import type { Topology } from '../plan/topology.ts';
import type { Target } from '../targets/targets.ts';
import { amount, type Column, type Section, tableOf, words } from './document.ts';
import { topologyName } from './names.ts';
import { unheaded } from './section.ts';

export interface VerifiedServer {
  target: Target;
  topology: Topology;
  outcome:
    | { state: 'verified'; processes: number }
    | { state: 'failed'; message: string; logTail: string[] };
}

/** The result of a verification: a table, the log of each server that failed, and a sentence. */
export function verificationSections(results: VerifiedServer[]): Section[] {
  if (results.length === 0) return [unheaded('Nothing was verified.')];
  const failures = results.flatMap(({ target, topology, outcome }) => {
    if (outcome.state === 'verified') return [];
    const message = `${target.label}, ${topologyName(topology)}: ${outcome.message}.`;
    return [unheaded({ kind: 'failure', message, logTail: outcome.logTail })];
  });
  const sentence =
    `${results.length - failures.length} of ${results.length} servers answer as declared: status, headers and body ` +
    'are right, every process has answered, and no other process listens on their ports.';
  const table = tableOf(['target', ({ target }) => target.label], COLUMNS, results);
  return [unheaded(table), ...failures, unheaded(sentence)];
}

const COLUMNS: Column<VerifiedServer>[] = [
  words('', 'topology', ({ topology }) => topologyName(topology)),
  words('', 'result', ({ outcome }) => {
    return outcome.state === 'verified' ? 'ok' : { text: 'failed', emphasis: 'warn' };
  }),
  amount('', 'processes\nthat answered', ({ outcome }) => {
    return outcome.state === 'verified' ? String(outcome.processes) : null;
  }),
];
