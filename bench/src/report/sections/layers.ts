import { pointOf } from '../../math/statistics.ts';
import { SERVICES } from '../../services/index.ts';
import type { Endpoint, LayerRow, LayerTable } from '../../summary/layers.ts';
import { uniqueFlags } from '../../validity/flags.ts';
import type { Block, Section } from '../document.ts';
import { percent, plusMinus, signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { Notes } from '../notes.ts';
import { paragraph, section, tableSection } from '../section.ts';
import { amount, type Column, tableOf } from '../tabulate.ts';
import { comparisonColumns } from './comparison-columns.ts';
import { endpointSentences } from './layers-text.ts';

/** What each layer costs each framework, and how much of the highest one is the framework. */
export function layerSections(table: LayerTable): Section[] {
  return [layerSection(table), ...(table.endpoints.length === 0 ? [] : [endpointSection(table)])];
}

function layerSection({ frameworks, rows, condition, lowest }: LayerTable): Section {
  const cells = rows.flatMap((row) => row.cells.filter((cell) => cell !== null));
  const notes = new Notes(cells.map(({ target, flags }) => ({ label: target.label, flags })));
  const flagsOf = (row: LayerRow) => uniqueFlags(row.cells.flatMap((cell) => cell?.flags ?? []));
  const columns = frameworks.map(({ label }, place): Column<LayerRow> => {
    return amount('cpu', `${label}\nµs/request`, (row) => costText(row, place));
  });
  const all = [...columns, ...notes.column('', flagsOf)];
  const table = tableOf(['layer', (row: LayerRow) => nameOf(row, lowest)], all, rows);
  const blocks: Block[] = [table, ...notes.blocks(), paragraph(READING)];
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
  const cell = cells[at];
  if (place === 'lowest') return plusMinus(cell?.cpuNs, 1000);
  return signedPlusMinus(cell?.more?.comparison.difference, 1000);
}

const { more, verdict } = comparisonColumns<Endpoint>('own', ({ own }) => own?.comparison);

function endpointSection({ endpoints, condition, swap }: LayerTable): Section {
  const swapped = comparisonColumns<Endpoint>('swap', (each) => each.swapped?.comparison);
  const services = endpoints.flatMap((endpoint) => endpoint.services.map(({ name }) => name));
  const columns: Column<Endpoint>[] = [
    amount('cpu', 'server\nµs/request', ({ cpuNs }) => plusMinus(cpuNs, 1000)),
    more('framework\nµs/request'),
    amount('own', 'of the\nserver', shareText),
    verdict(),
    ...(swap === null ? [] : [swapped.more(`${swap.own}\nµs/request`)]),
    ...[...new Set(services)].map((service): Column<Endpoint> => {
      return amount('services', `${SERVICES[service].label}\nµs/request`, (endpoint) => {
        return plusMinus(endpoint.services.find(({ name }) => name === service)?.cpuNs, 1000);
      });
    }),
  ];
  const heading = `How much of the whole endpoint is the framework, ${conditionName(condition)}`;
  return tableSection(heading, {
    name: ['target', ({ framework }) => framework.label],
    columns,
    rows: endpoints,
    flagsOf: ({ flags }) => flags,
    text: [...endpointSentences(endpoints, swap), besideText(swap)],
  });
}

/** How much of the server's time the framework is; nothing where it is not more than nothing. */
function shareText({ cpuNs, own }: Endpoint): string | null {
  const [all, part] = [pointOf(cpuNs), own && pointOf(own.comparison.difference)];
  return all === null || part === null || part < 0 ? null : percent(part / all);
}

const READING =
  'The lowest layer is a whole request; each other one is what it costs more than the layer below it, in CPU time of the server alone. What is beside the others stands on a layer that is not the last.';

function besideText(swap: LayerTable['swap']): string {
  const text =
    'The framework is what it costs more than the floor doing the same work with the same libraries';
  if (swap === null) return `${text}.`;
  return `${text}; its ${swap.own} is what that costs more than what the floor has in its place, ${swap.variant}.`;
}
