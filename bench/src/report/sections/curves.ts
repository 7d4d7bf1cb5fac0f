import type { Figures } from '../../figures/figures.ts';
import { DRIVERS } from '../../load/drivers.ts';
import type { OpenLoad } from '../../plan/loads.ts';
import type { Topology } from '../../plan/topology.ts';
import type { Curve, RateSummary } from '../../summary/rates.ts';
import { type Code, uniqueFlags } from '../../validity/flags.ts';
import type { Section } from '../document.ts';
import { evidenceText } from '../flag-texts.ts';
import { count, latencyTime, list, NONE, perSecond } from '../format.ts';
import { topologyWords } from '../names.ts';
import { Notes } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { amount, tableOf } from '../tabulate.ts';
import { cpuText, figuresIn } from './columns.ts';

/** Tables of latency and CPU time for each topology: a row for each rate, a column for each target. */
export function curveSections(summary: RateSummary): Section[] {
  const byTopology = Map.groupBy(summary.curves, ({ topology }) => topology);
  return [...byTopology].map(([topology, curves]) => curveSection(summary, topology, curves));
}

const TABLES: [head: string, text: (figures: Figures) => string | null][] = [
  ['p50 ms', ({ latency }) => latency && latencyTime(latency.p50)],
  ['p99 ms', ({ latency }) => latency && latencyTime(latency.p99)],
  ['CPU µs/request', cpuText],
];

function curveSection({ loads, slices }: RateSummary, topology: Topology, curves: Curve[]) {
  const targets = curves.map(({ target }) => target);
  const heading = `Latency and CPU by rate, ${topologyWords(topology, targets)}`;
  const cells = curves.flatMap(({ points }) => points.map(({ summary }) => summary));
  if (isUnreached(cells)) return unreachedSection(heading);
  const noted = cells.map(({ cell: { id }, flags }) => ({ label: id, flags }));
  const notes = new Notes(noted, (code) => placesText(code, curves, loads));
  const cellAt = ({ points }: Curve, load: OpenLoad) => {
    return points.find((each) => each.load === load)?.summary;
  };
  const flagsAt = (load: OpenLoad) => {
    return uniqueFlags(curves.flatMap((curve) => cellAt(curve, load)?.flags ?? []));
  };
  const tables = TABLES.map(([head, text]) => {
    const columns = curves.map((curve) => {
      return amount<OpenLoad>('', { name: curve.target.label }, (load) => {
        const cell = cellAt(curve, load);
        if (cell?.outcome.state !== 'measured') return cell?.outcome.state;
        const knee = curve.knee?.load === load ? '▸ ' : '';
        return `${knee}${text(cell.outcome.figures) ?? NONE}`;
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
  return section(heading, [...tables, ...notes.blocks(), paragraph(text.join(' '))], notes.codes);
}

/** The rates at which each target has a flag, with the evidence at the last of them. */
function placesText(code: Code, curves: Curve[], loads: OpenLoad[]): string {
  const seen = curves.flatMap(({ target: { label }, points }) => {
    const own = points.flatMap(({ load, summary: { flags } }) => {
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
    if (points.every(({ summary }) => figuresIn(summary) === null)) return `${label} not measured`;
    if (knee === null) return `${label} none among these rates`;
    return `${label} ${perSecond(knee.load.ratePerS)}/s${BEYOND[knee.at]}`;
  });
  return (
    'Beyond the knee (▸), the rate with the most throughput for its mean latency (Kleinrock 1979), more load adds more ' +
    `latency than throughput. Knees: ${parts.join('; ')}.`
  );
}

/** From when latency counts, and which slices it leaves out. */
export function scheduleText({ driver }: OpenLoad, { all, late }: RateSummary['slices']): string {
  const forgets = DRIVERS.some(({ name, plansEverything }) => name === driver && !plansEverything);
  const unless = forgets ? `; once ${driver} has dropped one, from when each was sent` : '';
  const without = `It leaves out ${count(late)} of ${count(all)} slices, in which the generator was late.`;
  const sent = `Requests were sent at their planned times, and latency counts from there${unless}.`;
  return late === 0 || late === all ? sent : `${sent} ${without}`;
}
