import { pointOf } from '../../math/statistics.ts';
import { SERVICES } from '../../services/index.ts';
import type { Endpoint, RungCell, RungRow, RungTable } from '../../summary/rungs.ts';
import { uniqueFlags } from '../../validity/flags.ts';
import type { Section } from '../document.ts';
import { NONE, percent, plusMinus, signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { endpointSentences } from './rungs-text.ts';

/** What each rung costs each framework, and how much of the highest one is the framework. */
export function rungSections(table: RungTable): Section[] {
  return [rungSection(table), ...(table.endpoints.length === 0 ? [] : [endpointSection(table)])];
}

function rungSection({ frameworks, rows, condition }: RungTable): Section {
  const cells = rows.flatMap((row) => row.cells).filter((cell) => cell !== null);
  const notes = new Notes(cells.map(({ target, flags }) => ({ label: target.label, flags })));
  const flagsOf = (row: RungRow) => row.cells.flatMap((cell) => cell?.flags ?? []);
  const columns = [
    ...frameworks.map(({ label }, place): Column<RungRow> => {
      return { group: 'cpu', head: `${label}\nµs/request`, cell: (row) => costText(row, place) };
    }),
    ...notes.column<RungRow>('', (row) => uniqueFlags(flagsOf(row))),
  ];
  const name = { head: 'rung', cell: nameOf };
  const blocks = [tableOf(name, columns, rows), ...notes.blocks(), paragraph(READING)];
  const heading = `What each rung adds to a request, ${conditionName(condition)}`;
  return section(heading, blocks, notes.codes);
}

function nameOf({ variant, place }: RungRow): string {
  switch (place) {
    case 'lowest':
      return 'text';
    case 'on the ladder':
      return `+ ${variant}`;
    case 'branch':
      return `beside: ${variant}`;
  }
}

function costText({ cells, place }: RungRow, at: number): string {
  const cell: RungCell | null | undefined = cells[at];
  if (!cell) return NONE;
  if (place === 'lowest') return plusMinus(cell.cpuNs, 1000);
  return cell.more === null ? NONE : signedPlusMinus(cell.more.comparison.difference, 1000);
}

function endpointSection({ endpoints, condition }: RungTable): Section {
  const notes = new Notes(
    endpoints.map(({ framework, flags }) => ({ label: framework.label, flags })),
  );
  const services = [
    ...new Set(endpoints.flatMap((endpoint) => endpoint.services.map(({ name }) => name))),
  ];
  const columns: Column<Endpoint>[] = [
    {
      group: 'cpu',
      head: 'server\nµs/request',
      cell: ({ cpuNs }) => plusMinus(cpuNs, 1000),
    },
    {
      group: 'own',
      head: 'framework\nµs/request',
      cell: ({ own }) => (own === null ? NONE : signedPlusMinus(own.comparison.difference, 1000)),
    },
    { group: 'own', head: 'of the\nserver', cell: shareText },
    {
      group: 'own',
      head: 'verdict',
      text: true,
      cell: ({ own }) => own?.comparison.verdict ?? NONE,
    },
    {
      group: 'validator',
      head: 'own validator\nµs/request',
      cell: ({ validator }) =>
        validator ? signedPlusMinus(validator.comparison.difference, 1000) : NONE,
    },
    ...services.map((service): Column<Endpoint> => {
      return {
        group: 'services',
        head: `${SERVICES[service].label}\nµs/request`,
        cell: (endpoint) => {
          const used = endpoint.services.find(({ name }) => name === service);
          return used === undefined ? NONE : plusMinus(used.cpuNs, 1000);
        },
      };
    }),
    ...notes.column<Endpoint>('', ({ flags }) => flags),
  ];
  const name = { head: 'target', cell: ({ framework }: Endpoint) => framework.label };
  const text = [...endpointSentences(endpoints), BESIDE].join(' ');
  const blocks = [tableOf(name, columns, endpoints), ...notes.blocks(), paragraph(text)];
  const heading = `How much of the whole endpoint is the framework, ${conditionName(condition)}`;
  return section(heading, blocks, notes.codes);
}

/** How much of the server's time the framework is; nothing where it is not more than nothing. */
function shareText({ cpuNs, own }: Endpoint): string {
  const [all, part] = [pointOf(cpuNs), own && pointOf(own.comparison.difference)];
  return all === null || part === null || part < 0 ? NONE : percent(part / all);
}

const READING =
  'The lowest rung is a whole request; each other one is what it costs more than the rung below it, in CPU time of the server alone. What is beside the ladder stands on a rung of it.';

const BESIDE =
  'The framework is what it costs more than the floor doing the same work with the same libraries; its own validator is what it costs more than with that of the floor, ajv called by hand.';
