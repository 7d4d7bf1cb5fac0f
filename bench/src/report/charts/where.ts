import { pointOf } from '../../math/statistics.ts';
import type { PartCost, Where } from '../../summary/where.ts';
import type { Bars } from '../document.ts';
import { microseconds, plusMinus } from '../format.ts';

/** As many colours as a page can tell apart. */
const SERIES = ['kernel', 'native', 'collector', 'node', 'packages', 'own code', 'other'] as const;
type Series = (typeof SERIES)[number];

/** Where the CPU time of a request goes, target by target. */
export function whereChart(wheres: readonly Where[]): Bars {
  return {
    kind: 'bars',
    title: 'Where the microseconds go',
    description:
      'CPU time of a request by whose code used it. Native code is with the event loop, and other what V8 does ' +
      'in threads of its own, code made at run time, and what could not be told.',
    axis: { label: 'CPU µs/request', unit: 1000, scale: 'linear', origin: 0, ticks: null },
    rows: wheres.map(({ target, parts, together }) => ({
      name: target.label,
      text: plusMinus(together, 1000),
      parts: SERIES.map((name) => {
        const value = nsOf(parts.filter((part) => seriesOf(part) === name));
        return { name, value, text: microseconds(value) };
      }),
    })),
  };
}

function seriesOf({ part }: PartCost): Series {
  switch (part.kind) {
    case 'native':
    case 'program':
    case 'idle':
      return 'native';
    case 'package':
      return 'packages';
    case 'own':
      return 'own code';
    case 'kernel':
    case 'collector':
    case 'node':
      return part.kind;
    case 'background':
    case 'generated':
    case 'unknown':
      return 'other';
  }
}

function nsOf(parts: readonly PartCost[]): number {
  return parts.reduce((sum, { ns }) => sum + (pointOf(ns) ?? 0), 0);
}
