import type { Target } from '../../targets/targets.ts';
import type { Axis, Panel, Point } from '../document.ts';

/** The time of a run, ns. */
export const RUN_TIME: Axis = {
  label: 'minutes since the run began',
  unit: 60e9,
  scale: 'linear',
  origin: 0,
  ticks: null,
};

/** Something that was seen in a launch at its time in the run, ns. */
interface Seen {
  launch: number;
  atNs: number;
}

/** A panel for a target, in which each launch is a series of its own, at the times at which it was seen. */
export function launchesPanel<T extends Seen>(
  target: Target,
  seen: readonly T[],
  told: (each: T) => { value: number; text: string },
): Panel {
  return {
    title: target.label,
    unknownAbove: null,
    series: [...Map.groupBy(seen, ({ launch }) => launch)].map(([launch, own]) => ({
      name: `launch ${launch + 1}`,
      mark: null,
      points: own.map((each): Point => {
        const { value, text } = told(each);
        return { x: each.atNs, xText: (each.atNs / 60e9).toFixed(2), y: value, yText: text };
      }),
    })),
  };
}
