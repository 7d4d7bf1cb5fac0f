import { headlineOf } from '../../figures/figures.ts';
import type { CellSummary, Condition } from '../../summary/conditions.ts';
import type { Intervals } from '../document.ts';
import { plusMinus } from '../format.ts';
import { capitalized, conditionName } from '../names.ts';

/** The figure that a load is there for, of each target of a condition; null where none was measured. */
export function headlineChart(condition: Condition): Intervals | null {
  const { load, cells } = condition;
  const { better, ofFigures } = headlineOf(load);
  const isCpu = load.headline === 'cpu';
  const rows = cells.flatMap(({ target, outcome }: CellSummary) => {
    if (outcome.state !== 'measured') return [];
    const estimate = ofFigures(outcome.figures);
    const text = plusMinus(estimate, isCpu ? 1000 : 1);
    return [{ name: target.label, estimate, text, other: null }];
  });
  if (rows.length === 0) return null;
  const label = isCpu ? 'µs of CPU a request' : 'requests/s';
  return {
    kind: 'intervals',
    title: capitalized(conditionName(condition)),
    description: `The ${better === 'less' ? 'lower' : 'higher'} the better; with 95 % intervals over launches.`,
    axis: { label, unit: isCpu ? 1000 : 1, scale: 'linear', origin: 0, ticks: null },
    band: null,
    other: null,
    rows,
  };
}
