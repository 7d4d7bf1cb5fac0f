import type { RunRecord } from '../../record/record.ts';
import type { Expectation, Target } from '../../targets/targets.ts';
import type { Section } from '../document.ts';
import { count } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';

/** What was asked of each server, what it answers, and what of that was compared under load. */
export function learntSection({ targets }: RunRecord): Section {
  const columns: Column<Target>[] = [
    {
      group: '',
      head: 'asked',
      text: true,
      cell: ({ request }) => `${request.method} ${request.path}`,
    },
    { group: '', head: 'answer', text: true, cell: ({ expect }) => learntText(expect) },
  ];
  const name = { head: 'server', cell: ({ label }: Target) => label };
  const blocks = [tableOf(name, columns, targets), ...apart(targets).map(paragraph)];
  return section('What they answer', blocks);
}

/** Of servers that could not be alive together. */
function apart(targets: readonly Target[]): string[] {
  const byPort = Map.groupBy(targets, ({ insists }) => insists);
  return [...byPort].flatMap(([port, those]) => {
    if (port === null || those.length < 2) return [];
    return [
      `${list.format(those.map(({ label }) => label))} insist on port ${port}, so that they could not be alive ` +
        'together. They were measured in turns of whole launches, seconds apart, and what the machine did ' +
        'meanwhile is in how they compare: their intervals are wider than those of servers side by side.',
    ];
  });
}

const list = new Intl.ListFormat('en-GB');

const SAME: Record<Expectation['compare'], string> = {
  body: 'always the same',
  length: 'always as long; compared by that',
  nothing: 'of any length; compared by status',
};

/** `200, application/json, 1,234 bytes, always the same`. */
export function learntText({ status, headers, body, compare }: Expectation): string {
  const type = headers['content-type'];
  const bytes = `${count(Buffer.byteLength(body))} bytes`;
  return [status, ...(type === undefined ? [] : [type]), bytes, SAME[compare]].join(', ');
}
