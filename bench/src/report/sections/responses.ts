import type { RunRecord } from '../../record/record.ts';
import { bytesOf, type Expectation, requestName } from '../../targets/exchange.ts';
import type { Target } from '../../targets/targets.ts';
import { type Section, tableOf, words } from '../document.ts';
import { count, list } from '../format.ts';
import { section } from '../section.ts';

/** The requests and responses of each server, and what of a response is compared under load. */
export function responsesSection({ targets }: RunRecord): Section {
  const rows = targets.flatMap(({ label, requests }) => {
    return requests.map((exchange) => ({ label, exchange }));
  });
  const columns = [
    words<(typeof rows)[number]>('', 'request', ({ exchange }) => requestName(exchange)),
    words<(typeof rows)[number]>('', 'response', ({ exchange }) => responseText(exchange.expect)),
  ];
  const table = tableOf(['server', ({ label }) => label], columns, rows);
  return section('Responses', [table, ...samePortText(targets)]);
}

function samePortText(targets: readonly Target[]): string[] {
  const byPort = Map.groupBy(targets, ({ fixedPort }) => fixedPort);
  return [...byPort].flatMap(([port, those]) => {
    if (port === null || those.length < 2) return [];
    return [
      `${list(those.map(({ label }) => label))} need port ${port}, so they could not run at the same time. They took turns of ` +
        'whole launches, seconds apart: what the machine did in between is part of how they compare, and their intervals ' +
        'are wider than those of servers side by side.',
    ];
  });
}

/** `200, application/json, 1,234 bytes, always the same`. */
export function responseText({ status, headers, body }: Expectation): string {
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
      return 'JSON, always the same value';
    case 'check':
      return 'always the same bytes, checked by a command';
    case 'length':
      return `always ${count(body.bytes)} bytes; only the length is compared`;
    case 'any':
      return 'of any length; only the status is compared';
  }
}
