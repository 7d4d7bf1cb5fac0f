import type { VerifiedServer } from '../launch/verify-all.ts';
import { renderFailure } from './failure.ts';
import { topologyName } from './names.ts';
import { type Look, renderTable } from './table.ts';
import { wrap } from './wrap.ts';

/** The result of a verification: a table, the failures' last words, and a sentence. */
export function renderVerification(results: VerifiedServer[], look: Look): string {
  if (results.length === 0) return 'Nothing was verified.\n';
  const table = renderTable<VerifiedServer>(
    { head: 'target', cell: ({ target }) => target.label },
    [
      { group: '', head: 'topology', text: true, cell: ({ topology }) => topologyName(topology) },
      {
        group: '',
        head: 'result',
        text: true,
        cell: ({ outcome }) => (outcome.state === 'verified' ? 'ok' : look.warn('failed')),
      },
      {
        group: '',
        head: 'processes\nthat answered',
        cell: ({ outcome }) => (outcome.state === 'verified' ? String(outcome.processes) : '–'),
      },
    ],
    results,
    look,
  );
  const failures = results.flatMap(({ target, topology, outcome }) => {
    if (outcome.state === 'verified') return [];
    const head = `${target.label}, ${topologyName(topology)}: ${outcome.message}.`;
    return [renderFailure(head, outcome.lastWords, look)];
  });
  const good = results.length - failures.length;
  const sentence =
    `${good} of ${results.length} servers answer as declared: status, headers and body are right, every ` +
    'process has answered, and nobody else listens on their ports.';
  return `${[table, ...failures, wrap(sentence, look.width)].join('\n\n')}\n`;
}
