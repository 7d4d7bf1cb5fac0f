import { momentsOf, type ResourceSample, secondsOf } from '../../summary/charts.ts';
import type { Condition } from '../../summary/summary.ts';
import type { Target } from '../../targets/targets.ts';
import type { Axis, Panel, Plot } from '../document.ts';
import { number } from '../format.ts';
import { capitalized, conditionName } from '../names.ts';

/** The headline figure of every slice over time, in a panel for each target; nothing without slices. */
export function slicesCharts(condition: Condition): Plot[] {
  const { headline } = condition.load;
  return overTime({
    title: capitalized(conditionName(condition)),
    description:
      'Every slice at its time in the run, each launch in its own colour, each target on a scale of its own. Scatter is ' +
      'noise, a trend is drift, and a trend within a launch is warm-up.',
    y: headline === 'cpu' ? linear('CPU µs/request', 1000) : linear('requests/s', 1),
    panels: momentsOf(condition).map(({ target, moments }) => {
      return launchesPanel(target, moments, ({ value }) => value);
    }),
  });
}

const RESOURCES: { what: string; y: Axis; of: (second: ResourceSample) => number }[] = [
  { what: 'Memory', y: linear('MB', 1e6), of: ({ bytes }) => bytes },
  { what: 'CPU', y: linear('% of a core', 0.01, 0), of: ({ cores }) => cores },
];

/** Memory and CPU use of each target second by second; nothing where they were not sampled. */
export function secondsCharts(condition: Condition): Plot[] {
  const all = secondsOf(condition);
  return RESOURCES.flatMap(({ what, y, of }) => {
    return overTime({
      title: `${what}, ${conditionName(condition)}`,
      description: `${what} of each server and its manager at the end of every second of a slice, each launch in its own colour.`,
      y,
      panels: all.map(({ target, seconds }) => launchesPanel(target, seconds, of)),
    });
  });
}

function linear(label: string, unit: number, origin: number | null = null): Axis {
  const text = (value: number) => number(value / unit);
  return { label, unit, scale: 'linear', origin, ticks: null, text };
}

/** Values over the time since the start of the run; nothing without panels. */
function overTime(plot: Omit<Plot, 'x' | 'joined'>): Plot[] {
  if (plot.panels.length === 0) return [];
  const time = linear('minutes since the start', 60e9, 0);
  const x = { ...time, text: (ns: number) => (ns / time.unit).toFixed(2) };
  return [{ ...plot, x, joined: false }];
}

function launchesPanel<Seen extends { launch: number; atNs: number }>(
  { label }: Target,
  seen: readonly Seen[],
  of: (each: Seen) => number,
): Panel {
  const series = [...Map.groupBy(seen, ({ launch }) => launch)].map(([launch, own]) => ({
    name: `launch ${launch + 1}`,
    mark: null,
    points: own.map((each) => ({ x: each.atNs, y: of(each) })),
  }));
  return { title: label, series, unknownAbove: null };
}
