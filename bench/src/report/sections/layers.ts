import { pointOf } from '../../math/statistics.ts';
import { SERVICES } from '../../services/index.ts';
import type { Endpoint, LayerCell, LayerRow, LayerTable } from '../../summary/layers.ts';
import { uniqueFlags } from '../../validity/flags.ts';
import type { Section } from '../document.ts';
import { NONE, percent, plusMinus, signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { endpointSentences } from './layers-text.ts';

/** What each layer costs each framework, and how much of the highest one is the framework. */
export function layerSections(table: LayerTable): Section[] {
  return [layerSection(table), ...(table.endpoints.length === 0 ? [] : [endpointSection(table)])];
}

function layerSection({ frameworks, rows, condition, lowest }: LayerTable): Section {
  const cells = rows.flatMap((row) => row.cells).filter((cell) => cell !== null);
  const notes = new Notes(cells.map(({ target, flags }) => ({ label: target.label, flags })));
  const flagsOf = (row: LayerRow) => row.cells.flatMap((cell) => cell?.flags ?? []);
  const columns = [
    ...frameworks.map(({ label }, place): Column<LayerRow> => {
      return { group: 'cpu', head: `${label}\nµs/request`, cell: (row) => costText(row, place) };
    }),
    ...notes.column<LayerRow>('', (row) => uniqueFlags(flagsOf(row))),
  ];
  const name = { head: 'layer', cell: (row: LayerRow) => nameOf(row, lowest) };
  const blocks = [tableOf(name, columns, rows), ...notes.blocks(), paragraph(READING)];
  const heading = `What each layer adds to a request, ${conditionName(condition)}`;
  return section(heading, blocks, notes.codes);
}

function nameOf({ variant, place }: LayerRow, lowest: string): string {
  switch (place) {
    case 'lowest':
      return lowest;
    case 'in the stack':
      return `+ ${variant}`;
    case 'branch':
      return `beside: ${variant}`;
  }
}

function costText({ cells, place }: LayerRow, at: number): string {
  const cell: LayerCell | null | undefined = cells[at];
  if (!cell) return NONE;
  if (place === 'lowest') return plusMinus(cell.cpuNs, 1000);
  return cell.more === null ? NONE : signedPlusMinus(cell.more.comparison.difference, 1000);
}

function endpointSection({ endpoints, condition, swap }: LayerTable): Section {
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
    ...(swap === null
      ? []
      : [
          {
            group: 'swap',
            head: `${swap.own}\nµs/request`,
            cell: ({ swapped }: Endpoint) => {
              return swapped ? signedPlusMinus(swapped.comparison.difference, 1000) : NONE;
            },
          },
        ]),
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
  const text = [...endpointSentences(endpoints, swap), besideText(swap)].join(' ');
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
  'The lowest layer is a whole request; each other one is what it costs more than the layer below it, in CPU time of the server alone. What is beside the others stands on a layer that is not the last.';

function besideText(swap: LayerTable['swap']): string {
  const text =
    'The framework is what it costs more than the floor doing the same work with the same libraries';
  if (swap === null) return `${text}.`;
  return `${text}; its ${swap.own} is what that costs more than what the floor has in its place, ${swap.variant}.`;
}
