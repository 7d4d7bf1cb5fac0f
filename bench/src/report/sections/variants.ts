import type { Role } from '../../figures/services.ts';
import { pointOf } from '../../math/statistics.ts';
import type { ChangeCost } from '../../summary/compare-family.ts';
import type { Decomposition, DecompositionTable, Sum } from '../../summary/decomposition.ts';
import type { Endpoint, LayerRow, LayerTable } from '../../summary/layers.ts';
import { amount, type Column, type Section, words } from '../document.ts';
import { percent, plusMinus, signedPlusMinus } from '../format.ts';
import { conditionName } from '../names.ts';
import { tableSection } from '../section.ts';
import { comparisonColumns, ownerName, servicesOf, TARGET } from './columns.ts';

/** What variants cost: a table for each decomposition, and one for the variants that are in none. */
export function decompositionSections(table: DecompositionTable): Section[] {
  const { decompositions, others, roles, condition } = table;
  const sections = decompositions.map((each) => decompositionSection(each, table));
  if (others.length === 0) return sections;
  const other = tableSection(`Other variants, ${conditionName(condition)}`, {
    name: TARGET,
    columns: [
      words<ChangeCost>('', 'over', ({ over }) => over.label),
      ...columnsOf<ChangeCost>(roles, '', figuresOf),
    ],
    rows: others,
    flagsOf: ({ flags }) => flags,
  });
  return [...sections, other];
}

/** One change of a decomposition, or a total. */
type Row = ReturnType<typeof sumRow>;

type RoleFigures = NonNullable<ReturnType<typeof figuresOf>>;

const WAYS = [
  { of: 'inOrder', prefix: '' },
  { of: 'alone', prefix: 'alone: ' },
] as const;

function decompositionSection(decomposition: Decomposition, table: DecompositionTable): Section {
  const { roles, condition } = table;
  const { root, parts, sums, whole } = decomposition;
  const known = WAYS.filter(({ of }) => parts.some((part) => part[of] !== null));
  const ways = known.length === 0 ? WAYS.slice(0, 1) : known;
  const rows: Row[] = [
    ...parts.map(({ change, inOrder, alone }) => {
      return { name: change, inOrder: figuresOf(inOrder), alone: figuresOf(alone) };
    }),
    sumRow('sum of these', 'sum', sums),
    { name: 'all of it, measured', inOrder: figuresOf(whole), alone: figuresOf(whole) },
    sumRow('the rest', 'rest', sums),
  ];
  return tableSection(`What each change adds to ${root.label}, ${conditionName(condition)}`, {
    name: ['change', ({ name }) => name],
    columns: [
      ...ways.flatMap(({ of, prefix }) => columnsOf<Row>(roles, prefix, (row) => row[of])),
      amount<Row>('', 'share of\nall of it', ({ inOrder, alone }) => {
        return shareOfWhole(inOrder ?? alone, figuresOf(whole));
      }),
    ],
    rows: rows.filter(({ inOrder, alone }) => inOrder !== null || alone !== null),
    flagsOf: (row) => ways.flatMap(({ of }) => row[of]?.flags ?? []),
    text: [
      restText('In this order', sums.inOrder, 'which is in none of them'),
      restText('Each alone', sums.alone, 'since they affect one another'),
      'Each change comes on top of those below it; alone, it is the only one. A change whose interval includes 0 may cost ' +
        'nothing. Verdicts and shares are those of server and services together.',
    ],
  });
}

function columnsOf<R>(
  roles: readonly Role[],
  prefix: string,
  of: (row: R) => RoleFigures | null,
): Column<R>[] {
  return [
    ...roles.map((role, place) => {
      const head = `${prefix}${ownerName(role)}\nµs/request`;
      return amount<R>(prefix, head, (row) => signedPlusMinus(of(row)?.cpuNs[place], 1000));
    }),
    words(prefix, `${prefix}verdict`, (row) => of(row)?.verdict),
  ];
}

/** The CPU time of each role, with the verdict of the last, which is the total. */
function figuresOf(cost: ChangeCost | null) {
  if (cost === null) return null;
  const cpuNs = cost.costs.map(({ comparison }) => comparison.difference);
  return { cpuNs, verdict: cost.costs.at(-1)?.comparison.verdict ?? null, flags: cost.flags };
}

function sumRow(name: string, what: keyof Sum, { inOrder, alone }: Decomposition['sums']) {
  const of = (sum: Sum | null): RoleFigures | null => {
    return sum && { cpuNs: sum[what], verdict: null, flags: [] };
  };
  return { name, inOrder: of(inOrder), alone: of(alone) };
}

/** The share of the whole, where both part and whole are shown to cost something. */
function shareOfWhole(part: RoleFigures | null, whole: RoleFigures | null): string | null {
  if (part?.verdict !== 'slower' || whole?.verdict !== 'slower') return null;
  const [own, all] = [part, whole].map(({ cpuNs }) => pointOf(cpuNs.at(-1)));
  return own == null || !all ? null : percent(own / all);
}

function restText(way: string, sum: Sum | null, why: string): string | null {
  const rest = sum?.rest.at(-1);
  if (rest?.kind !== 'interval') return null;
  return rest.low <= 0 && rest.high >= 0
    ? `${way}, the changes add up to the whole within the interval of the rest.`
    : `${way}, the changes leave ${signedPlusMinus(rest, 1000)} µs of the whole, ${why}.`;
}

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
      amount<Endpoint>('own', 'of the\nserver', shareOfServer),
      own.verdict(),
      ...(swap === undefined ? [] : [swapped.more(`${swap.own}\nµs/request`), swapped.verdict()]),
      ...services.map(({ label, of }) => {
        const cost = (row: Endpoint) => plusMinus(of(row)?.cpuPerRequest, 1000);
        return amount('services', `${label}\nµs/request`, cost);
      }),
    ],
    rows: endpoints,
    flagsOf: ({ flags }) => flags,
    text: [meaningOf(swap)],
  });
}

/** The framework's share of the server's CPU time; null where it costs nothing. */
function shareOfServer({ cpuNs, own }: Endpoint): string | null {
  const [all, part] = [pointOf(cpuNs), pointOf(own?.comparison.difference)];
  return all === null || part === null || part < 0 ? null : percent(part / all);
}

function meaningOf(swap: LayerTable['swap']): string {
  const own = 'The framework is what it costs more than the floor with the same libraries';
  if (swap === undefined) return `${own}.`;
  return `${own}; its ${swap.own} is what that costs more than ${swap.variant}, which the floor has in its place.`;
}
