import { type Figures, headlineOf } from '../figures/figures.ts';
import { pointOf } from '../math/statistics.ts';
import type { Load } from '../plan/loads.ts';
import { headlineOverTime, ownersOf, resourceOverTime, type Timeline } from '../summary/charts.ts';
import { type Curve, type RateSummary, summarizeRates } from '../summary/rates.ts';
import type { Condition, RankedPair, Summary } from '../summary/summary.ts';
import type { Axis, Plot, Section, Series } from './document.ts';
import { intervals, partColumns } from './drawings.ts';
import { asked, latencyTime, limit, number, perSecond, plusMinus } from './format.ts';
import { capitalized, conditionName, HEADLINES, loadName, topologyWords } from './names.ts';
import { section, sectionIfAny } from './section.ts';
import { comparisonColumns, figure, ownerName, PLACE } from './sections/columns.ts';

/** The charts of a run, without those of figures that it did not measure. */
export function chartSections(summary: Summary): Section[] {
  const { conditions } = summary;
  const rates = summarizeRates(summary);
  const headlines = conditions.filter(({ load }) => {
    // Several rates have charts of their own.
    return load.kind === 'closed' || rates?.loads.length === 1;
  });
  return [
    ...chartsSection('By rate', rates ? rateCharts(rates) : []),
    ...[...Map.groupBy(headlines, ({ load }) => load)].flatMap(headlineSections),
    ...conditions.flatMap(pairsSections),
    ...chartsSection('Latency and its tail', conditions.flatMap(quantilesCharts)),
    ...conditions.flatMap(ownersSections),
    ...chartsSection('Second by second', conditions.flatMap(secondsCharts)),
    ...chartsSection('Every slice over time', conditions.flatMap(slicesCharts)),
  ];
}

function chartsSection(heading: string, charts: readonly Plot[]): Section[] {
  const figures = charts.map((chart) => ({ kind: 'figure' as const, chart }));
  return figures.length === 0 ? [] : [section(heading, figures)];
}

function headlineSections([load, conditions]: [Load, Condition[]]): Section[] {
  const rows = conditions.flatMap(({ cells }) => cells.filter(({ figures }) => figures));
  const { head, unit } = HEADLINES[load.headline];
  const columns = [
    figure('', head, ({ headline }) => plusMinus(headline, unit)),
    intervals('values', '', rows, ({ figures }) => figures?.headline),
  ];
  const better = headlineOf(load).better === 'less' ? 'Lower' : 'Higher';
  const text = `${better} is better. The 95 % intervals are over launches.`;
  const table = { name: PLACE, columns, rows, text: [text] };
  return sectionIfAny(`At a glance, ${loadName(load)}`, table);
}

function ownersSections(condition: Condition): Section[] {
  const rows = ownersOf(condition).map(({ target, cores, together }) => {
    const parts = cores.map((each) => ({ name: ownerName(each.owner), value: each.cores }));
    return { target, parts, together };
  });
  const columns = partColumns(rows, number, ({ together }) => number(together));
  return sectionIfAny(`Who used the CPU, ${conditionName(condition)}`, {
    name: ['cores', ({ target }) => target.label],
    columns,
    rows,
    text: ['Cores kept busy in the median slice, by the processes that used them.'],
  });
}

function pairsSections(condition: Condition): Section[] {
  const { times, verdict } = comparisonColumns<RankedPair>('', ({ comparison }) => comparison);
  const rows = condition.pairs.filter(({ comparison }) => comparison.ratio.kind !== 'none');
  const { what } = HEADLINES[condition.load.headline];
  const columns = [
    times(`${what}, ratio`),
    intervals<RankedPair>('ratios', '', rows, ({ comparison }) => comparison.ratio),
    verdict(),
  ];
  return sectionIfAny(`All pairs, ${conditionName(condition)}`, {
    name: ['pair', ({ worse, better }) => `${worse.label} / ${better.label}`],
    columns,
    rows,
    text: [
      'Ratios are taken within rounds; each interval holds at 95 % for its pair alone. The verdicts hold for all pairs of ' +
        `this table together; ratios within ±${asked(condition.record.plan.equivalence)} count as the same.`,
    ],
  });
}

/** By default from the least value to the most, without an origin. */
function axis(label: string, unit: number, other: Partial<Axis> = {}): Axis {
  const text = (value: number) => number(value / unit);
  return { label, unit, scale: 'linear', origin: null, ticks: null, text, ...other };
}

function latencyAxis(label: string): Axis {
  return axis(label, 1e6, { scale: 'log', text: (ns) => latencyTime({ kind: 'known', ns }) });
}

function slicesCharts(condition: Condition): Plot[] {
  const description =
    'Every slice at its time in the run, each launch in its own colour, each target on a scale of its own. Scatter is ' +
    'noise, a trend is drift, and a trend within a launch is warm-up.';
  const { head, unit } = HEADLINES[condition.load.headline];
  const title = capitalized(conditionName(condition));
  return overTime({ title, description, y: axis(head, unit) }, headlineOverTime(condition));
}

const RESOURCES = [
  { what: 'Memory', y: axis('MB', 1e6), resource: 'bytes' },
  { what: 'CPU', y: axis('% of a core', 0.01, { origin: 0 }), resource: 'cores' },
] as const;

function secondsCharts(condition: Condition): Plot[] {
  return RESOURCES.flatMap(({ what, y, resource }) => {
    const title = `${what}, ${conditionName(condition)}`;
    const description =
      `${what} of each server and its manager at the end of every second of a slice, ` +
      'each launch in its own colour.';
    return overTime({ title, description, y }, resourceOverTime(condition, resource));
  });
}

const MINUTE_NS = 60e9;
const TIME = axis('minutes since the start', MINUTE_NS, {
  origin: 0,
  text: (ns) => (ns / MINUTE_NS).toFixed(2),
});

/** Values over the time since the start of the run, a panel for each target; nothing without any. */
function overTime(
  head: Pick<Plot, 'title' | 'description' | 'y'>,
  timelines: readonly Timeline[],
): Plot[] {
  if (timelines.length === 0) return [];
  const panels = timelines.map(({ target: { label }, moments }) => {
    const launches = Map.groupBy(moments, ({ launch }) => launch);
    const series = [...launches].map(([launch, own]) => ({
      name: `launch ${launch + 1}`,
      mark: null,
      points: own.map(({ atNs, value }) => ({ x: atNs, y: value })),
    }));
    return { title: label, series, unknownAbove: null };
  });
  return [{ ...head, x: TIME, joined: false, panels }];
}

/** The ticks of the x axis of latency quantiles. */
const NAMED = [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999];

/** On a scale that widens the tail. */
function quantilesCharts(condition: Condition): Plot[] {
  const tails = condition.cells.flatMap(({ target, figures }) => {
    const latency = figures?.latency;
    if (!latency) return [];
    // A quantile beyond which there is not one request says nothing.
    const { count } = latency.survivors;
    const tail = latency.tail.filter(({ share }) => (1 - share) * count >= 1);
    return [{ name: target.label, tail }];
  });
  const all = tails.flatMap(({ tail }) => tail);
  if (all.length === 0) return [];
  const last = Math.max(...all.map(({ share }) => share));
  const ticks = NAMED.filter((share) => share <= last).map(tailOf);
  const series = tails.map(({ name, tail }) => {
    // A logarithmic scale has no 0; times that are only lower bounds are in the hatched part.
    const drawn = tail.filter(({ time: { kind, ns } }) => kind === 'known' && ns > 0);
    const points = drawn.map(({ share, time: { ns } }) => ({ x: tailOf(share), y: ns }));
    return { name, points, mark: null };
  });
  const waits = all.flatMap(({ time }) => (time.kind === 'above' ? [time.ns] : []));
  const value = Math.min(...waits);
  const unknownAbove = { value, text: `longer than ${limit(value)}: can't be told apart` };
  return [
    {
      title: capitalized(conditionName(condition)),
      description:
        'Latency by the share of requests that took no longer, of all slices together. Both scales are logarithmic, to make ' +
        'room for the tail.',
      x: axis('share of the requests', 1, { scale: 'log', ticks, text: shareText }),
      y: latencyAxis('latency, ms'),
      joined: true,
      panels: [{ title: '', series, unknownAbove: waits.length > 0 ? unknownAbove : null }],
    },
  ];
}

/** On this logarithmic scale 90 to 99 % is as wide as 99 to 99.9 %. */
function tailOf(share: number): number {
  return 1 / (1 - share);
}

/** The share of which this is the tail. */
function shareText(tail: number): string {
  return `${Number((100 - 100 / tail).toPrecision(7))} %`;
}

/** In base units; null where it is not known. */
type FigureOf = (figures: Figures) => number | null;

const BY_RATE: { title: string; y: Axis; of: FigureOf }[] = [
  {
    title: 'p99 latency by rate',
    y: latencyAxis('p99, ms'),
    of: ({ latency }) => (latency?.p99.kind === 'known' ? latency.p99.ns : null),
  },
  {
    title: 'Answered by rate',
    y: axis('requests/s answered', 1, { origin: 0 }),
    of: ({ throughput }) => pointOf(throughput),
  },
  {
    title: 'CPU by rate',
    y: axis('CPU µs/request', 1000, { origin: 0 }),
    of: ({ cpuPerRequest }) => pointOf(cpuPerRequest),
  },
];

/** For each topology; nothing at a single rate. */
function rateCharts({ loads, curves }: RateSummary): Plot[] {
  if (loads.length < 2) return [];
  const description =
    'The dashed line of each is its knee: the rate with the most throughput for its mean latency (Kleinrock 1979). ' +
    'Beyond it, more load adds more latency than throughput.';
  const x = axis('requests/s sent', 1, { origin: 0, text: perSecond });
  return [...Map.groupBy(curves, ({ topology }) => topology)].flatMap(([topology, own]) => {
    return BY_RATE.map(({ title: what, y, of }) => {
      const title = `${what}, ${topologyWords(topology, own)}`;
      const series = own.map((curve) => curveSeries(curve, of));
      const panels = [{ title: '', unknownAbove: null, series }];
      return { title, description, x, y, joined: true, panels };
    });
  });
}

function curveSeries({ target: { label }, points, knee }: Curve, of: FigureOf): Series {
  return {
    name: label,
    points: points.flatMap(({ load, figures }) => {
      const y = figures && of(figures);
      return y === null ? [] : [{ x: load.ratePerS, y }];
    }),
    mark: knee && {
      x: knee.load.ratePerS,
      text: `${label}: knee at ${perSecond(knee.load.ratePerS)}/s`,
    },
  };
}
