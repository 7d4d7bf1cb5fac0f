import type { RunRecord } from '../../record/record.ts';
import type { Condition } from '../../summary/conditions.ts';
import { momentsOf } from '../../summary/moments.ts';
import type { Plot } from '../document.ts';
import { number } from '../format.ts';
import { capitalized, conditionName } from '../names.ts';
import { launchesPanel, RUN_TIME } from './over-time.ts';

/** Every slice of a condition when it ran, a panel for each target; null where there was none. */
export function slicesChart(record: RunRecord, condition: Condition): Plot | null {
  const all = momentsOf(record, condition);
  if (all.length === 0) return null;
  const isCpu = condition.load.headline === 'cpu';
  const unit = isCpu ? 1000 : 1;
  return {
    title: capitalized(conditionName(condition)),
    description:
      'Every slice at its time in the run, each launch in its own colour, each target on a scale of its own: ' +
      'what is scattered is noise, what goes up or down is drift, and within a launch warm-up.',
    x: RUN_TIME,
    y: {
      ...{ label: isCpu ? 'µs of CPU a request' : 'requests/s', unit, scale: 'linear' },
      ...{ origin: null, ticks: null },
    },
    joined: false,
    panels: all.map(({ target, moments }) => {
      return launchesPanel(target, moments, ({ value }) => ({ value, text: number(value / unit) }));
    }),
  };
}
