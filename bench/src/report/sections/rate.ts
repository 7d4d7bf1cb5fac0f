import { LONE_SHARE, type OpenLoad } from '../../plan/loads.ts';
import { isPlain } from '../../plan/topology.ts';
import { SERVICE_NAMES, SERVICES } from '../../services/index.ts';
import type { Curve, RatePoint, RateSummary, Use } from '../../summary/rates.ts';
import type { Section } from '../document.ts';
import { megabytes, NONE, number, percent, perSecond } from '../format.ts';
import { loadName, rowName } from '../names.ts';
import { Notes } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
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
  const heading = loadName(load);
  const topologies = new Set(curves.map(({ topology }) => topology));
  const rows = curves.flatMap(({ target, topology, points }) => {
    const name = topologies.size === 1 ? target.label : rowName(target, topology);
    return points.map((point): Row => ({ name, ...point }));
  });
  if (isUnreached(rows.map(({ summary }) => summary))) return unreachedSection(heading);
  const notes = new Notes(rows.map(({ name, summary }) => ({ label: name, flags: summary.flags })));
  const columns = [
    ...rateColumns(rows),
    ...notes.column<Row>('use', ({ summary }) => summary.flags),
  ];
  const table = tableOf({ head: 'target', cell: ({ name }) => name }, columns, rows);
  const text = `${useSentence(rows, load)}${planned(load, slices)} ${READING}`;
  return section(heading, [table, ...notes.blocks(), paragraph(text)], notes.codes);
}

function rateColumns(rows: Row[]): Column<Row>[] {
  const use = (head: string, text: (use: Use) => string): Column<Row> => {
    return { group: 'use', head, cell: ({ use: used }) => (used ? text(used) : NONE) };
  };
  return [
    ...[latency('p50'), latency('p99'), latency('max'), cpu].map(({ what, unit, text }) => {
      return { group: 'rate', head: `${what}\n${unit}`, cell: text };
    }),
    use('CPU, %\nof a core', ({ cores }) => number(cores.server * 100)),
    use('memory\nMB', ({ bytes }) => megabytes(bytes.server)),
    ...(rows.some(({ use: used }) => used !== null && isManaged(used))
      ? [
          use('manager, %\nof a core', (used) => {
            return isManaged(used) ? number(used.cores.manager * 100) : NONE;
          }),
          use('manager\nMB', (used) => {
            return isManaged(used) ? megabytes(used.bytes.manager) : NONE;
          }),
        ]
      : []),
    ...serviceUse(rows, use),
  ];
}

/** What each service uses, and what all of it comes to; nothing where there is none. */
function serviceUse(
  rows: Row[],
  use: (head: string, text: (use: Use) => string) => Column<Row>,
): Column<Row>[] {
  const names = SERVICE_NAMES.filter((name) => {
    return rows.some((row) => row.use?.services.some((each) => each.name === name));
  });
  if (names.length === 0) return [];
  return [
    ...names.flatMap((name) => {
      const { label } = SERVICES[name];
      const own = ({ services }: Use) => services.find((each) => each.name === name);
      return [
        use(`${label}, %\nof a core`, (used) => {
          const found = own(used);
          return found ? number(found.cores * 100) : NONE;
        }),
        use(`${label}\nMB`, (used) => {
          const found = own(used);
          return found ? megabytes(found.bytes) : NONE;
        }),
      ];
    }),
    use('together, %\nof a core', ({ total }) => number(total.cores * 100)),
    use('together\nMB', ({ total }) => megabytes(total.bytes)),
  ];
}

const READING =
  'CPU and memory are those of the median second, of all processes together that serve; every second is ' +
  'in the record.';

/** Who uses the least for the same work, and who the most, with a space after it. */
function useSentence(rows: Row[], { ratePerS }: OpenLoad): string {
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
  if (parts.length === 0) return '';
  return `The same ${perSecond(ratePerS)} requests a second take ${parts.join(', and ')}. `;
}

function isManaged({ bytes }: Use): boolean {
  return bytes.manager > 0;
}

function totalOf({ server, manager }: Use['cores']): number {
  return server + manager;
}
