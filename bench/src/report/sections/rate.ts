import { type OpenLoad, SINGLE_REQUEST_SHARE } from '../../plan/loads.ts';
import { isPlain } from '../../plan/topology.ts';
import type { Curve, RatePoint, RateSummary, Use } from '../../summary/rates.ts';
import type { Section } from '../document.ts';
import { latencyTime, megabytes, number, percent, perSecond } from '../format.ts';
import { loadName, rowNames } from '../names.ts';
import { cellSection, isUnreached, paragraph, section } from '../section.ts';
import { amount, type Column } from '../tabulate.ts';
import { CPU_HEAD, columnsOfCells, cpuText, servicesOf } from './columns.ts';
import { curveSections, scheduleText } from './curves.ts';

/** A table of all targets and topologies at one rate, or tables by rate for each topology. */
export function rateTables(summary: RateSummary): Section[] {
  const [only, ...others] = summary.loads;
  if (only === undefined) return [];
  return others.length === 0 ? [oneRate(only, summary)] : curveSections(summary);
}

/** The same, and why there are no overheads where the rates are too high for them. */
export function rateSections(summary: RateSummary): Section[] {
  const { curves, overheads } = summary;
  const sections = rateTables(summary);
  const missing = overheads === null && curves.some((curve) => isStep(curve, curves));
  return missing ? [...sections, section('Overhead', [paragraph(TOO_BUSY)])] : sections;
}

/** Whether a single process was measured and has a base to compare it with. */
function isStep({ target, topology, points }: Curve, curves: Curve[]): boolean {
  const isBuilt = curves.some((other) => other.target.name === target.over);
  return isPlain(topology) && isBuilt && !isUnreached(points.map(({ summary }) => summary));
}

const TOO_BUSY =
  'Overheads are shown only at a rate so low that requests come one by one, with every single process busy for less than ' +
  `${SINGLE_REQUEST_SHARE * 100} % of the time. No such rate was measured here. Without --rate they are measured at saturation.`;

/** A target in a topology, at the only rate. */
interface Row extends RatePoint {
  name: string;
}

const cellOf = ({ summary }: Row) => summary;
const { leading, figure } = columnsOfCells(cellOf);

function oneRate(load: OpenLoad, { curves, slices }: RateSummary): Section {
  const nameOf = rowNames(curves);
  const rows = curves.flatMap((curve) => {
    const name = nameOf(curve);
    return curve.points.map((point): Row => ({ name, ...point }));
  });
  return cellSection(loadName(load), cellOf, {
    name: ['target', ({ name }) => name],
    columns: rateColumns(rows),
    rows,
    flagGroup: 'use',
    text: [
      ...useText(rows, load),
      scheduleText(load, slices),
      'CPU and memory are those of the median second, of all processes that serve; the record has every second.',
    ],
  });
}

function rateColumns(rows: readonly Row[]): Column<Row>[] {
  const services = servicesOf(rows, ({ use }) => use?.services ?? []);
  const isManaged = rows.some(({ use }) => use && use.bytes.manager > 0);
  return [
    ...(['p50', 'p99', 'max'] as const).map((name) => {
      return leading('rate', `${name}\nms`, ({ latency }) => latency && latencyTime(latency[name]));
    }),
    figure('rate', CPU_HEAD, cpuText),
    ...useColumns('CPU', 'memory', usedBy('server')),
    ...(isManaged ? useColumns('manager', 'manager', usedBy('manager')) : []),
    ...services.flatMap(({ label, of }) => useColumns(label, label, of)),
    ...(services.length > 0 ? useColumns('together', 'together', ({ use }) => use?.total) : []),
  ];
}

type Used = Use['total'];

type UsedIn = (row: Row) => Used | null | undefined;

/** Columns of CPU use and memory. */
function useColumns(cpuHead: string, memoryHead: string, usedIn: UsedIn): Column<Row>[] {
  const column = (head: string, text: (used: Used) => string) => {
    return amount<Row>('use', head, (row) => {
      const used = usedIn(row);
      return used && text(used);
    });
  };
  return [
    column(`${cpuHead}, %\nof a core`, ({ cores }) => number(cores * 100)),
    column(`${memoryHead}\nMB`, ({ bytes }) => megabytes(bytes)),
  ];
}

/** Use by the server or its manager; null without one. */
function usedBy(who: 'server' | 'manager'): UsedIn {
  return ({ use }) => {
    const isThere = use !== null && (who === 'server' || use.bytes[who] > 0);
    return isThere ? { cores: use.cores[who], bytes: use.bytes[who] } : null;
  };
}

/** The servers that use the least and the most CPU for the same work. */
function useText(rows: readonly Row[], { ratePerS }: OpenLoad): string[] {
  const known = rows.flatMap(({ name, use, summary: { rank } }) => {
    if (use === null || rank === null) return [];
    const { cores, bytes } = use;
    const who = bytes.manager > 0 ? `${name} and its manager` : name;
    const total = { cores: cores.server + cores.manager, bytes: bytes.server + bytes.manager };
    return [{ who, ...total }];
  });
  const byCores = known.toSorted((a, b) => a.cores - b.cores);
  const extremes = byCores.length > 1 ? [...byCores.slice(0, 1), ...byCores.slice(-1)] : byCores;
  const parts = extremes.map(({ who, cores, bytes }) => {
    return `${percent(cores)} of a core and ${megabytes(bytes)} MB with ${who}`;
  });
  if (parts.length === 0) return [];
  return [`${perSecond(ratePerS)} requests/s take ${parts.join(', and ')}.`];
}
