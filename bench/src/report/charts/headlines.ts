import { headlineIn, headlineOf } from '../../figures/figures.ts';
import type { Load } from '../../plan/loads.ts';
import type { Condition } from '../../summary/conditions.ts';
import type { IntervalRow, Intervals } from '../document.ts';
import { plusMinus } from '../format.ts';
import { capitalized, conditionName, loadName, rowName } from '../names.ts';

/** For each load the figure that it is there for, of every target in every topology; those measured. */
export function headlineCharts(conditions: readonly Condition[]): Intervals[] {
  return [...Map.groupBy(conditions, ({ load }) => load)].flatMap(([load, own]) => {
    return headlineChart(load, own);
  });
}

function headlineChart(load: Load, conditions: readonly Condition[]): Intervals[] {
  const { better } = headlineOf(load);
  const unit = load.headline === 'cpu' ? 1000 : 1;
  const rows = conditions.flatMap(({ topology, cells }) => {
    return cells.flatMap(({ target, outcome }): IntervalRow[] => {
      if (outcome.state !== 'measured') return [];
      const estimate = headlineIn(outcome.figures, load);
      const name = conditions.length === 1 ? target.label : rowName(target, topology);
      return [{ name, estimate, text: plusMinus(estimate, unit), other: null }];
    });
  });
  const [first] = conditions;
  if (rows.length === 0 || first === undefined) return [];
  const what = unit === 1 ? 'Requests/s' : 'CPU time of a request';
  const title = conditions.length === 1 ? conditionName(first) : loadName(load);
  return [
    {
      kind: 'intervals',
      title: capitalized(title),
      description: `${what}: the ${better === 'less' ? 'lower' : 'higher'} the better. With 95 % intervals over launches.`,
      axis: {
        label: unit === 1 ? 'requests/s' : 'µs of CPU a request',
        ...{ unit, scale: 'linear', origin: 0, ticks: null },
      },
      band: null,
      other: null,
      rows,
    },
  ];
}
