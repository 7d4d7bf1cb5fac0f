import type { VerifiedServer } from '../launch/verify-all.ts';
import type { Section } from './document.ts';
import { NONE } from './format.ts';
import { topologyName } from './names.ts';
import { paragraph, unheaded } from './section.ts';
import { type Column, tableOf } from './tabulate.ts';

/** The result of a verification: a table, the failures' last words, and a sentence. */
export function verificationSections(results: VerifiedServer[]): Section[] {
  if (results.length === 0) return [unheaded(paragraph('Nothing was verified.'))];
  const name = { head: 'target', cell: ({ target }: VerifiedServer) => target.label };
  const failures = results.flatMap(({ target, topology, outcome }) => {
    if (outcome.state === 'verified') return [];
    const message = `${target.label}, ${topologyName(topology)}: ${outcome.message}.`;
    return [unheaded({ kind: 'failure', message, logTail: outcome.logTail })];
  });
  const good = results.length - failures.length;
  const sentence =
    `${good} of ${results.length} servers answer as declared: status, headers and body are right, every ` +
    'process has answered, and nobody else listens on their ports.';
  return [unheaded(tableOf(name, COLUMNS, results)), ...failures, unheaded(paragraph(sentence))];
}

const COLUMNS: Column<VerifiedServer>[] = [
  { group: '', head: 'topology', text: true, cell: ({ topology }) => topologyName(topology) },
  {
    group: '',
    head: 'result',
    text: true,
    cell: ({ outcome }) => {
      return outcome.state === 'verified' ? 'ok' : { text: 'failed', emphasis: 'warn' };
    },
  },
  {
    group: '',
    head: 'processes\nthat answered',
    cell: ({ outcome }) => (outcome.state === 'verified' ? String(outcome.processes) : NONE),
  },
];
