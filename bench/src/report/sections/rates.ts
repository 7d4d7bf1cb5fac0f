import type { Figures } from '../../figures/figures.ts';
import { DRIVERS } from '../../load/drivers.ts';
import { type OpenLoad, SINGLE_REQUEST_SHARE } from '../../plan/loads.ts';
import { isPlain, type Topology } from '../../plan/topology.ts';
import type { Curve, RatePoint, RateSummary, Use } from '../../summary/rates.ts';
import type { Code } from '../../validity/flags.ts';
import { amount, type Column, type Section, tableOf } from '../document.ts';
import { evidenceText } from '../flag-texts.ts';
import { count, latencyTime, list, megabytes, number, percent, perSecond } from '../format.ts';
import { loadName, rowNames, topologyWords } from '../names.ts';
import { cellSection, isUnreached, notesOf, section, unreachedSection } from '../section.ts';
import { wrap } from '../terminal/look.ts';
import { cpu, cpuText, latency, leading, servicesOf } from './columns.ts';

/** A table of all targets and topologies at one rate, or tables by rate for each topology. */
export function rateTables(summary: RateSummary): Section[] {
  const [only, ...others] = summary.loads;
  if (only === undefined) return [];
  if (others.length === 0) return [oneRate(only, summary)];
  const byTopology = Map.groupBy(summary.curves, ({ topology }) => topology);
  return [...byTopology].map(([topology, curves]) => curveSection(summary, topology, curves));
}

/** The same, and why there are no overheads where the rates are too high for them. */
export function rateSections(summary: RateSummary): Section[] {
  const { curves, overheads } = summary;
  const isStep = ({ target, topology, points }: Curve) => {
    const isBuilt = curves.some((other) => other.target.name === target.over);
    return isPlain(topology) && isBuilt && !isUnreached(points);
  };
  const missing = overheads === null && curves.some(isStep);
  return [...rateTables(summary), ...(missing ? [section('Overhead', [TOO_BUSY])] : [])];
}

const TOO_BUSY =
  'Overheads are shown only at a rate so low that requests come one by one, with every single process busy for less than ' +
  `${SINGLE_REQUEST_SHARE * 100} % of the time. No such rate was measured here. Without --rate they are measured at saturation.`;

function oneRate(load: OpenLoad, { curves, slices }: RateSummary): Section {
  const rows = curves.flatMap(({ points }) => points);
  const nameOf = rowNames(rows);
  return cellSection(loadName(load), {
    name: ['target', nameOf],
    columns: rateColumns(rows),
    rows,
    flagGroup: 'use',
    text: [
      useText(rows, nameOf, load),
      scheduleText(load, slices),
      'CPU and memory are those of the median second, of all processes that serve; the record has every second.',
    ],
  });
}

function rateColumns(rows: readonly RatePoint[]): Column<RatePoint>[] {
  const services = servicesOf(rows, ({ use }) => use?.services ?? []);
  const managerOf: UsedIn = ({ use }) => (use && use.manager.bytes > 0 ? use.manager : null);
  return [
    ...(['p50', 'p99', 'max'] as const).map((name) => leading({ ...latency(name), group: 'rate' })),
    cpu('rate'),
    ...useColumns('CPU', 'memory', ({ use }) => use?.server),
    ...(rows.some(managerOf) ? useColumns('manager', 'manager', managerOf) : []),
    ...services.flatMap(({ label, of }) => useColumns(label, label, of)),
    ...(services.length > 0 ? useColumns('together', 'together', ({ use }) => use?.total) : []),
  ];
}

type UsedIn = (row: RatePoint) => Use['total'] | null | undefined;

function useColumns(cpuHead: string, memoryHead: string, usedIn: UsedIn): Column<RatePoint>[] {
  const column = (head: string, text: (used: Use['total']) => string) => {
    return amount<RatePoint>('use', head, (row) => {
      const used = usedIn(row);
      return used && text(used);
    });
  };
  return [
    column(`${cpuHead}, %\nof a core`, ({ cores }) => number(cores * 100)),
    column(`${memoryHead}\nMB`, ({ bytes }) => megabytes(bytes)),
  ];
}

function useText(
  rows: readonly RatePoint[],
  nameOf: (row: RatePoint) => string,
  { ratePerS }: OpenLoad,
): string | null {
  const known = rows.flatMap((row) => {
    if (row.use === null || row.rank === null) return [];
    const { server, manager } = row.use;
    const who = manager.bytes > 0 ? `${nameOf(row)} and its manager` : nameOf(row);
    return [{ who, cores: server.cores + manager.cores, bytes: server.bytes + manager.bytes }];
  });
  const byCores = known.toSorted((a, b) => a.cores - b.cores);
  const extremes = byCores.filter((_, place) => place === 0 || place === byCores.length - 1);
  const parts = extremes.map(({ who, cores, bytes }) => {
    return `${percent(cores)} of a core and ${megabytes(bytes)} MB with ${who}`;
  });
  return parts.length === 0
    ? null
    : `${perSecond(ratePerS)} requests/s take ${parts.join(', and ')}.`;
}

const TABLES: [head: string, text: (figures: Figures) => string][] = [
  ['p50 ms', (figures) => latencyTime(figures.latency?.p50)],
  ['p99 ms', (figures) => latencyTime(figures.latency?.p99)],
  ['CPU µs/request', cpuText],
];

/** The longest line of a target's name as the head of a column, unless it has a longer word. */
const NAME_WIDTH = 9;

/** Tables of latency and CPU time in a topology: a row for each rate, a column for each target. */
function curveSection({ loads, slices }: RateSummary, topology: Topology, curves: Curve[]) {
  const heading = `Latency and CPU by rate, ${topologyWords(topology, curves)}`;
  const points = curves.flatMap((curve) => curve.points);
  if (isUnreached(points)) return unreachedSection(heading);
  const noted = points.map(({ cell, flags }) => ({ label: cell.id, flags }));
  const notes = notesOf(noted, (code) => placesText(code, curves, loads));
  const flagsAt = (load: OpenLoad) => {
    return points.flatMap((point) => (point.load === load ? point.flags : []));
  };
  const tables = TABLES.map(([head, text]) => {
    const columns = curves.map((curve) => {
      return amount<OpenLoad>('', wrap(curve.target.label, NAME_WIDTH), (load) => {
        const point = curve.points.find((each) => each.load === load);
        if (!point?.figures) return point?.state;
        return `${curve.knee?.load === load ? '▸ ' : ''}${text(point.figures)}`;
      });
    });
    const all = [...columns, ...notes.column('', flagsAt)];
    const naming = `${head}\nby requests/s`;
    return tableOf([naming, ({ ratePerS }: OpenLoad) => perSecond(ratePerS)], all, loads);
  });
  const text = [
    kneeText(curves),
    ...loads.slice(0, 1).map((load) => scheduleText(load, slices)),
    'A request costs less CPU at higher rates, since the server has to be woken less often.',
  ];
  return section(heading, [...tables, ...notes.blocks, text.join(' ')]);
}

/** The rates at which each target has a flag, with the evidence at the last of them. */
function placesText(code: Code, curves: Curve[], loads: OpenLoad[]): string {
  const seen = curves.flatMap(({ target: { label }, points }) => {
    const own = points.flatMap(({ load, flags }) => {
      return flags.filter((flag) => flag.code === code).map((flag) => ({ label, load, flag }));
    });
    const last = own.at(-1);
    return last ? [{ ...last, where: ratesText(own, loads) }] : [];
  });
  const places = [...Map.groupBy(seen, ({ where }) => where)].map(([where, those]) => {
    return `${list(those.map(({ label }) => label))} ${where}`;
  });
  const example = seen.at(-1);
  if (example === undefined) return '';
  const place = `${example.label} at ${perSecond(example.load.ratePerS)}/s`;
  const rest = places.length === 1 && places[0] === place ? '' : `; for example ${place}`;
  return `${places.join('; ')}${rest}: ${evidenceText(example.flag)}`;
}

/** `at 100 and 300/s`, `from 300/s on`, `at every rate`. */
function ratesText(some: readonly { load: OpenLoad }[], all: readonly OpenLoad[]): string {
  const rates = some.map(({ load }) => perSecond(load.ratePerS));
  if (some.length > 1 && some.length === all.length) return 'at every rate';
  const isRest = some.every(({ load }, index) => load === all.at(index - some.length));
  return isRest && rates.length > 1 ? `from ${rates[0]}/s on` : `at ${list(rates)}/s`;
}

const BEYOND = { inside: '', lowest: ' or below', highest: ' or above' };

function kneeText(curves: readonly Curve[]): string {
  const parts = curves.map(({ target: { label }, knee, points }) => {
    if (points.every(({ figures }) => figures === null)) return `${label} not measured`;
    if (knee === null) return `${label} none among these rates`;
    return `${label} ${perSecond(knee.load.ratePerS)}/s${BEYOND[knee.at]}`;
  });
  return (
    'Beyond the knee (▸), the rate with the most throughput for its mean latency (Kleinrock 1979), more load adds more ' +
    `latency than throughput. Knees: ${parts.join('; ')}.`
  );
}

function scheduleText({ driver }: OpenLoad, { all, late }: RateSummary['slices']): string {
  const { plansEverything } = DRIVERS[driver];
  const unless = plansEverything ? '' : `; once ${driver} has dropped one, from when each was sent`;
  const without = `It leaves out ${count(late)} of ${count(all)} slices, in which the generator was late.`;
  const sent = `Requests were sent at their planned times, and latency counts from there${unless}.`;
  return late === 0 || late === all ? sent : `${sent} ${without}`;
}
