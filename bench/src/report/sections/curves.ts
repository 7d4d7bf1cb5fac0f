import type { OpenLoad } from '../../plan/loads.ts';
import type { Topology } from '../../plan/topology.ts';
import type { Curve, RateSummary } from '../../summary/rates.ts';
import { type Code, uniqueFlags } from '../../validity/flags.ts';
import type { Section } from '../document.ts';
import { evidenceText } from '../flag-texts.ts';
import { list, NONE, perSecond } from '../format.ts';
import { topologyWords } from '../names.ts';
import { Notes } from '../notes.ts';
import { isUnreached, paragraph, section, unreachedSection } from '../section.ts';
import { amount, tableOf } from '../tabulate.ts';
import { cpu, latency, planned } from './rate-readings.ts';

/** For each topology, tables of latency and cost whose rows are the rates and whose columns are the targets. */
export function curveSections(summary: RateSummary): Section[] {
  const byTopology = Map.groupBy(summary.curves, ({ topology }) => topology);
  return [...byTopology].map(([topology, each]) => curveSection(summary, topology, each));
}

function curveSection(
  { loads, slices }: RateSummary,
  topology: Topology,
  curves: Curve[],
): Section {
  const targets = curves.map(({ target }) => target);
  const heading = `Latency and CPU by rate, ${topologyWords(topology, targets)}`;
  const cells = curves.flatMap(({ points }) => points.map(({ summary }) => summary));
  if (isUnreached(cells)) return unreachedSection(heading);
  const noted = cells.map(({ cell: { id }, flags }) => ({ label: id, flags }));
  const notes = new Notes(noted, (code) => placesText(code, curves, loads));
  const pointOf = ({ points }: Curve, load: OpenLoad) => points.find((each) => each.load === load);
  const flagsAt = (load: OpenLoad) => {
    return uniqueFlags(curves.flatMap((curve) => pointOf(curve, load)?.summary.flags ?? []));
  };
  const tables = [latency('p50'), latency('p99'), cpu].map(({ what, unit, text }) => {
    const columns = curves.map((curve) => {
      return amount<OpenLoad>('', { name: curve.target.label }, (load) => {
        const point = pointOf(curve, load);
        const knee = curve.knee?.load === load ? '▸ ' : '';
        return point && `${knee}${text(point) ?? NONE}`;
      });
    });
    const head = `${what} ${unit}\nby requests/s`;
    const all = [...columns, ...notes.column('', flagsAt)];
    return tableOf([head, ({ ratePerS }: OpenLoad) => perSecond(ratePerS)], all, loads);
  });
  const text = [
    kneeSentence(curves),
    ...loads.slice(0, 1).map((load) => planned(load, slices)),
    READING,
  ].join(' ');
  return section(heading, [...tables, ...notes.blocks(), paragraph(text)], notes.codes);
}

const READING =
  'A request costs less CPU at higher rates, since a server that sleeps less has to be woken less.';

/** Which rates of which targets have a flag, and what was seen at the last of them. */
function placesText(code: Code, curves: Curve[], loads: OpenLoad[]): string {
  const seen = curves.flatMap(({ target, points }) => {
    const those = points.flatMap(({ load, summary: { flags } }) => {
      return flags.filter((flag) => flag.code === code).map((flag) => ({ load, flag }));
    });
    const last = those.at(-1);
    if (last === undefined) return [];
    const where = whereText(those, loads);
    return [{ label: target.label, where, last }];
  });
  const places = [...Map.groupBy(seen, ({ where }) => where)].map(([where, those]) => {
    return `${list(those.map(({ label }) => label))} ${where}`;
  });
  const example = seen.at(-1);
  if (example === undefined) return '';
  const { label, last } = example;
  const place = `${label} at ${perSecond(last.load.ratePerS)}/s`;
  const rest = places.length === 1 && places[0] === place ? '' : `; for example ${place}`;
  return `${places.join('; ')}${rest}: ${evidenceText(last.flag)}`;
}

/** Some of the rates, in few words. */
function whereText(those: readonly { load: OpenLoad }[], loads: OpenLoad[]): string {
  const rates = those.map(({ load }) => perSecond(load.ratePerS));
  if (those.length > 1 && those.length === loads.length) return 'at every rate';
  const isRest = those.every(({ load }, index) => load === loads.at(index - those.length));
  return isRest && rates.length > 1 ? `from ${rates[0]}/s on` : `at ${list(rates)}/s`;
}

function kneeSentence(curves: Curve[]): string {
  const parts = curves.map(({ target: { label }, knee, points }) => {
    if (points.every(({ summary }) => summary.outcome.state !== 'measured')) {
      return `${label} was not measured`;
    }
    if (knee === null) return `${label} has none among these rates`;
    const beyond = { inside: '', lowest: ' or below', highest: ' or above' }[knee.at];
    return `${label} at ${perSecond(knee.load.ratePerS)}/s${beyond}`;
  });
  return (
    'Beyond the knee (▸), the rate with the most throughput for its mean latency (Kleinrock 1979), more ' +
    `load costs more latency than it brings answers: ${parts.join('; ')}.`
  );
}
