import { pointOf } from '../../math/statistics.ts';
import type { PartCost, Where } from '../../summary/where.ts';
import type { Table } from '../document.ts';
import { type Parted, partColumns } from '../drawings.ts';
import { microseconds, plusMinus } from '../format.ts';
import { tableOf } from '../tabulate.ts';

/** As many colours as a page can tell apart. */
const SERIES = ['kernel', 'native', 'collector', 'node', 'packages', 'own code', 'other'] as const;
type Series = (typeof SERIES)[number];

/** Where the CPU time of a request goes, target by target: native code is with the event loop. */
export function whereTable(wheres: readonly Where[]): Table {
  const rows = wheres.map(
    ({ target, parts, together }): Parted => ({
      name: target.label,
      text: plusMinus(together, 1000),
      parts: SERIES.map((name) => {
        const value = nsOf(parts.filter((part) => seriesOf(part) === name));
        return { name, value, text: microseconds(value) };
      }),
    }),
  );
  return tableOf(['CPU µs/request', ({ name }) => name], partColumns(rows), rows);
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
