import { pointOf } from '../../math/statistics.ts';
import type { Endpoint, LayerRow, LayerTable } from '../../summary/layers.ts';
import { amount, type Section } from '../document.ts';
import { percent, plusMinus, signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { tableSection } from '../section.ts';
import { comparisonColumns, servicesOf } from './columns.ts';

/** What each layer costs in each framework, and the framework's share of the highest layer. */
export function layerSections(table: LayerTable): Section[] {
  return [layerSection(table), ...(table.endpoints.length === 0 ? [] : [endpointSection(table)])];
}

function layerSection({ frameworks, rows, condition, lowest }: LayerTable): Section {
  const cells = rows.flatMap((row) => row.cells.filter((cell) => cell !== null));
  return tableSection(`What each layer adds to a request, ${conditionName(condition)}`, {
    name: ['layer', (row: LayerRow) => nameOf(row, lowest)],
    columns: frameworks.map(({ label }, place) => {
      return amount<LayerRow>('cpu', `${label}\nµs/request`, (row) => costText(row, place));
    }),
    rows,
    flagsOf: (row) => row.cells.flatMap((cell) => cell?.flags ?? []),
    noted: cells.map(({ target, flags }) => ({ label: target.label, flags })),
    text: [
      'CPU time of the server alone: of a whole request for the lowest layer, and for each other one what it adds to the layer ' +
        'below it. A layer marked "beside" stands on one that is not the last.',
    ],
  });
}

function nameOf({ variant, place }: LayerRow, lowest: string): string {
  if (place === 'lowest') return lowest;
  return place === 'branch' ? `beside: ${variant}` : `+ ${variant}`;
}

function costText({ cells, place }: LayerRow, at: number): string {
  const cell = cells[at];
  if (place === 'lowest') return plusMinus(cell?.cpuNs, 1000);
  return signedPlusMinus(cell?.more?.comparison.difference, 1000);
}

function endpointSection({ endpoints, condition, swap }: LayerTable): Section {
  const own = comparisonColumns<Endpoint>('own', (row) => row.own?.comparison);
  const swapped = comparisonColumns<Endpoint>('swap', (row) => row.swapped?.comparison);
  const services = servicesOf(endpoints, (row) => row.services);
  return tableSection(`The framework's share of the endpoint, ${conditionName(condition)}`, {
    name: ['target', ({ framework }) => framework.label],
    columns: [
      amount<Endpoint>('cpu', 'server\nµs/request', ({ cpuNs }) => plusMinus(cpuNs, 1000)),
      own.more('framework\nµs/request'),
      amount<Endpoint>('own', 'of the\nserver', shareText),
      own.verdict(),
      ...(swap === undefined ? [] : [swapped.more(`${swap.own}\nµs/request`), swapped.verdict()]),
      ...services.map(({ label, of }) => {
        return amount<Endpoint>('services', `${label}\nµs/request`, (endpoint) => {
          return plusMinus(of(endpoint)?.cpuPerRequest, 1000);
        });
      }),
    ],
    rows: endpoints,
    flagsOf: ({ flags }) => flags,
    text: [meaningOf(swap)],
  });
}

/** The framework's share of the server's CPU time; null where it costs nothing. */
function shareText({ cpuNs, own }: Endpoint): string | null {
  const [all, part] = [pointOf(cpuNs), pointOf(own?.comparison.difference)];
  return all === null || part === null || part < 0 ? null : percent(part / all);
}

function meaningOf(swap: LayerTable['swap']): string {
  const own = 'The framework is what it costs more than the floor with the same libraries';
  if (swap === undefined) return `${own}.`;
  return `${own}; its ${swap.own} is what that costs more than ${swap.variant}, which the floor has in its place.`;
}
