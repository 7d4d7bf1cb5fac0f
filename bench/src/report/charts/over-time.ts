import type { Condition } from '../../summary/conditions.ts';
import { momentsOf, type ResourceSample, secondsOf } from '../../summary/moments.ts';
import type { Target } from '../../targets/targets.ts';
import type { Axis, Panel, Plot } from '../document.ts';
import { number } from '../format.ts';
import { capitalized, conditionName } from '../names.ts';

const LINEAR = { scale: 'linear', ticks: null } as const;
/** Time since the start of the run, ns. */
const RUN_TIME: Axis = { ...LINEAR, label: 'minutes since the start', unit: 60e9, origin: 0 };

/** The headline figure of every slice over time, in a panel for each target; null without slices. */
export function slicesChart(condition: Condition): Plot | null {
  const all = momentsOf(condition);
  if (all.length === 0) return null;
  const isCpu = condition.load.headline === 'cpu';
  const unit = isCpu ? 1000 : 1;
  return {
    title: capitalized(conditionName(condition)),
    description:
      'Every slice at its time in the run, each launch in its own colour, each target on a scale of its own. Scatter is ' +
      'noise, a trend is drift, and a trend within a launch is warm-up.',
    x: RUN_TIME,
    y: { ...LINEAR, label: isCpu ? 'CPU µs/request' : 'requests/s', unit, origin: null },
    joined: false,
    panels: all.map(({ target, moments }) => {
      return launchesPanel(target, moments, unit, ({ value }) => value);
    }),
  };
}

interface Resource extends Pick<Axis, 'label' | 'unit' | 'origin'> {
  what: string;
  of: (second: ResourceSample) => number;
}

const RESOURCES: Resource[] = [
  { what: 'Memory', label: 'MB', unit: 1e6, origin: null, of: ({ bytes }) => bytes },
  { what: 'CPU', label: '% of a core', unit: 0.01, origin: 0, of: ({ cores }) => cores },
];

/** Memory and CPU use of each target second by second; nothing where they were not sampled. */
export function secondsCharts(condition: Condition): Plot[] {
  const all = secondsOf(condition);
  if (all.length === 0) return [];
  return RESOURCES.map(({ what, of, ...axis }) => ({
    title: `${what}, ${conditionName(condition)}`,
    description: `${what} of each server and its manager at the end of every second of a slice, each launch in its own colour.`,
    x: RUN_TIME,
    y: { ...LINEAR, ...axis },
    joined: false,
    panels: all.map(({ target, seconds }) => launchesPanel(target, seconds, axis.unit, of)),
  }));
}

function launchesPanel<Seen extends { launch: number; atNs: number }>(
  { label }: Target,
  seen: readonly Seen[],
  unit: number,
  of: (each: Seen) => number,
): Panel {
  const series = [...Map.groupBy(seen, ({ launch }) => launch)].map(([launch, own]) => ({
    name: `launch ${launch + 1}`,
    mark: null,
    points: own.map((each) => {
      const [x, y] = [each.atNs, of(each)];
      return { x, xText: (x / RUN_TIME.unit).toFixed(2), y, yText: number(y / unit) };
    }),
  }));
  return { title: label, series, unknownAbove: null };
}
