import type { Topology } from '../plan/topology.ts';
import type { Target } from '../targets/targets.ts';
import { amount, type Column, type Section, tableOf, words } from './document.ts';
import { topologyName } from './names.ts';
import { unheaded } from './section.ts';

/** A target in a topology, and how it failed, if it did. */
export interface VerifiedServer {
  target: Target;
  topology: Topology;
  /** Those that answered; null if it failed. */
  processes: number | null;
  failure: { message: string; logTail: string[] } | null;
}

/** The result of a verification: a table, the log of each server that failed, and a sentence. */
export function verificationSections(results: VerifiedServer[]): Section[] {
  if (results.length === 0) return [unheaded('Nothing was verified.')];
  const failures = results.flatMap(({ target, topology, failure }) => {
    if (failure === null) return [];
    const message = `${target.label}, ${topologyName(topology)}: ${failure.message}.`;
    return [unheaded({ kind: 'failure', message, logTail: failure.logTail })];
  });
  const sentence =
    `${results.length - failures.length} of ${results.length} servers answer as declared: status, headers and body ` +
    'are right, every process has answered, and no other process listens on their ports.';
  const table = tableOf(['target', ({ target }) => target.label], COLUMNS, results);
  return [unheaded(table), ...failures, unheaded(sentence)];
}

const COLUMNS: Column<VerifiedServer>[] = [
  words('', 'topology', ({ topology }) => topologyName(topology)),
  words('', 'result', ({ failure }) => {
    return failure === null ? 'ok' : { text: 'failed', emphasis: 'warn' };
  }),
  amount('', 'processes\nthat answered', ({ processes }) => processes?.toString() ?? null),
];
