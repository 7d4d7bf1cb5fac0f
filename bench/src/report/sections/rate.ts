import { LONE_SHARE, type OpenLoad } from '../../plan/loads.ts';
import { isPlain } from '../../plan/topology.ts';
import { SERVICE_NAMES, SERVICES } from '../../services/index.ts';
import type { Curve, RatePoint, RateSummary, Use } from '../../summary/rates.ts';
import type { Section } from '../document.ts';
import { megabytes, number, percent, perSecond } from '../format.ts';
import { loadName, rowNames } from '../names.ts';
import { cellSection, isUnreached, paragraph, section } from '../section.ts';
import { amount, type Column } from '../tabulate.ts';
import { curveSections } from './curves.ts';
import { cpu, latency, planned } from './rate-readings.ts';

/** Every target in every topology at one rate; or for each topology, how its targets go with the rate. */
export function rateTables(summary: RateSummary): Section[] {
  const [only, ...others] = summary.loads;
  if (only === undefined) return [];
  return others.length === 0 ? [oneRate(only, summary)] : curveSections(summary);
}

/** The same, and why there are no overheads where none can be told. */
export function rateSections(summary: RateSummary): Section[] {
  const { curves, overheads } = summary;
  const sections = rateTables(summary);
  const missing = overheads === null && curves.some((curve) => isStep(curve, curves));
  return missing ? [...sections, section('Overhead', [paragraph(TOO_BUSY)])] : sections;
}

/** Whether a single process was measured, and could be compared with what it is built on. */
function isStep({ target, topology, points }: Curve, curves: Curve[]): boolean {
  const isBuilt = curves.some((other) => other.target.name === target.over);
  return isPlain(topology) && isBuilt && !isUnreached(points.map(({ summary }) => summary));
}

const TOO_BUSY =
  'What a target costs more than what it is built on is told only at a rate at which requests come one by ' +
  `one, with every single process busy for less than ${LONE_SHARE * 100} % of the time. No such rate was ` +
  'measured here. Without --rate it is told at saturation.';

/** A target in a topology, at the only rate. */
interface Row extends RatePoint {
  name: string;
}

function oneRate(load: OpenLoad, { curves, slices }: RateSummary): Section {
  const nameOf = rowNames(curves);
  const rows = curves.flatMap((curve) => {
    const name = nameOf(curve);
    return curve.points.map((point): Row => ({ name, ...point }));
  });
  return cellSection(loadName(load), ({ summary }: Row) => summary, {
    name: ['target', ({ name }) => name],
    columns: rateColumns(rows),
    rows,
    flagGroup: 'use',
    text: [...useSentence(rows, load), planned(load, slices), READING],
  });
}

function rateColumns(rows: readonly Row[]): Column<Row>[] {
  const used = rows.flatMap(({ use }) => (use === null ? [] : [use]));
  const services = SERVICE_NAMES.map((name) => ({
    label: SERVICES[name].label,
    of: ({ services: all }: Use) => all.find((each) => each.name === name),
  })).filter(({ of }) => used.some((use) => of(use) !== undefined));
  return [
    ...[latency('p50'), latency('p99'), latency('max'), cpu].map(({ what, unit, text }) => {
      return amount<Row>('rate', `${what}\n${unit}`, text);
    }),
    ...useColumns('CPU', 'memory', ({ cores, bytes }) => {
      return { cores: cores.server, bytes: bytes.server };
    }),
    ...(used.some(isManaged)
      ? useColumns('manager', 'manager', (use) => {
          return isManaged(use) ? { cores: use.cores.manager, bytes: use.bytes.manager } : null;
        })
      : []),
    ...services.flatMap(({ label, of }) => useColumns(label, label, of)),
    ...(services.length > 0 ? useColumns('together', 'together', ({ total }) => total) : []),
  ];
}

/** What something that serves keeps busy, and what memory it has. */
function useColumns(
  cpuHead: string,
  memoryHead: string,
  of: (use: Use) => { cores: number; bytes: number } | null | undefined,
): Column<Row>[] {
  const taken = ({ use }: Row) => use && of(use);
  return [
    amount('use', `${cpuHead}, %\nof a core`, (row) => {
      const own = taken(row);
      return own && number(own.cores * 100);
    }),
    amount('use', `${memoryHead}\nMB`, (row) => {
      const own = taken(row);
      return own && megabytes(own.bytes);
    }),
  ];
}

const READING =
  'CPU and memory are those of the median second, of all processes together that serve; every second is ' +
  'in the record.';

/** Who uses the least for the same work, and who the most. */
function useSentence(rows: readonly Row[], { ratePerS }: OpenLoad): string[] {
  const known = rows
    .flatMap(({ name, use, summary: { rank } }) => (use && rank ? [{ name, use }] : []))
    .toSorted((a, b) => totalOf(a.use.cores) - totalOf(b.use.cores));
  const parts = [...new Set([known[0], known.at(-1)])].flatMap((each) => {
    if (each === undefined) return [];
    const { cores, bytes } = each.use;
    const whole = isManaged(each.use) ? ' and its manager' : '';
    const share = percent(totalOf(cores));
    return [`${share} of a core and ${megabytes(totalOf(bytes))} MB with ${each.name}${whole}`];
  });
  if (parts.length === 0) return [];
  return [`The same ${perSecond(ratePerS)} requests a second take ${parts.join(', and ')}.`];
}

function isManaged({ bytes }: Use): boolean {
  return bytes.manager > 0;
}

function totalOf({ server, manager }: Use['cores']): number {
  return server + manager;
}
