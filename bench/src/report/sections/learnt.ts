import type { RunRecord } from '../../record/record.ts';
import { bytesOf, type Exchange, type Expectation, requestName } from '../../targets/exchange.ts';
import type { Target } from '../../targets/targets.ts';
import type { Section } from '../document.ts';
import { count, list } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { tableOf, words } from '../tabulate.ts';

/** A request of a target. */
interface Asked {
  target: Target;
  exchange: Exchange;
}

/** What was asked of each server, what it answers, and what of that was compared under load. */
export function learntSection({ targets }: RunRecord): Section {
  const asked = targets.flatMap((target) => {
    return target.requests.map((exchange): Asked => ({ target, exchange }));
  });
  const columns = [
    words<Asked>('', 'asked', ({ exchange }) => requestName(exchange)),
    words<Asked>('', 'answer', ({ exchange }) => answerText(exchange.expect)),
  ];
  const table = tableOf(['server', ({ target }) => target.label], columns, asked);
  return section('What they answer', [table, ...apart(targets).map(paragraph)]);
}

/** Of servers that could not be alive together. */
function apart(targets: readonly Target[]): string[] {
  const byPort = Map.groupBy(targets, ({ fixedPort }) => fixedPort);
  return [...byPort].flatMap(([port, those]) => {
    if (port === null || those.length < 2) return [];
    return [
      `${list(those.map(({ label }) => label))} insist on port ${port}, so that they could not be alive ` +
        'together. They were measured in turns of whole launches, seconds apart, and what the machine did ' +
        'meanwhile is in how they compare: their intervals are wider than those of servers side by side.',
    ];
  });
}

/** `200, application/json, 1,234 bytes, always the same`. */
export function answerText({ status, headers, body }: Expectation): string {
  const type = headers['content-type'];
  return [status, ...(type === undefined ? [] : [type]), bodyText(body)].join(', ');
}

function bodyText(body: Expectation['body']): string {
  switch (body.kind) {
    case 'bytes':
      return `${count(bytesOf(body.bytes).length)} bytes, always the same`;
    case 'digest':
      return `${count(body.bytes)} bytes, always the same`;
    case 'json':
      return 'JSON, always of the same value';
    case 'check':
      return 'always the same bytes, which a command finds right';
    case 'length':
      return `${count(body.bytes)} bytes, always as long; compared by that`;
    case 'any':
      return 'of any length; compared by status';
  }
}
