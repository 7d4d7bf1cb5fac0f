import type { RunRecord } from '../../record/record.ts';
import type { Condition } from '../../summary/conditions.ts';
import { type ResourceSample, secondsOf } from '../../summary/moments.ts';
import type { Axis, Plot } from '../document.ts';
import { megabytes, number } from '../format.ts';
import { capitalized, conditionName } from '../names.ts';
import { launchesPanel, RUN_TIME } from './over-time.ts';

interface Reading {
  what: string;
  axis: Axis;
  of: (second: ResourceSample) => { value: number; text: string };
}

const READINGS: Reading[] = [
  {
    what: 'Memory',
    axis: { label: 'MB', unit: 1e6, scale: 'linear', origin: null, ticks: null },
    of: ({ bytes }) => ({ value: bytes, text: megabytes(bytes) }),
  },
  {
    what: 'CPU',
    axis: { label: '% of a core', unit: 0.01, scale: 'linear', origin: 0, ticks: null },
    of: ({ cores }) => ({ value: cores, text: number(cores * 100) }),
  },
];

/** Memory and CPU time of each target second by second, launch by launch; nothing where nobody looked. */
export function secondsCharts(record: RunRecord, condition: Condition): Plot[] {
  const all = secondsOf(record, condition);
  if (all.length === 0) return [];
  return READINGS.map(
    ({ what, axis, of }): Plot => ({
      title: `${what}, ${conditionName(condition)}`,
      description: `${capitalized(what)} of each server and its manager at the end of every second of a slice, each launch in its own colour.`,
      x: RUN_TIME,
      y: axis,
      joined: false,
      panels: all.map(({ target, seconds }) => launchesPanel(target, seconds, of)),
    }),
  );
}
