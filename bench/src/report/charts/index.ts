import { summarizeRates } from '../../summary/rates.ts';
import type { Summary } from '../../summary/summary.ts';
import type { Plot, Section } from '../document.ts';
import { section } from '../section.ts';
import { headlineSections } from './headlines.ts';
import { ownersSections } from './owners.ts';
import { pairsSections } from './pairs.ts';
import { quantilesChart } from './quantiles.ts';
import { rateCharts } from './rates.ts';
import { secondsCharts } from './seconds.ts';
import { slicesChart } from './slices.ts';

/** All that is drawn of a run, the answer first; what it did not measure is left out. */
export function chartSections({ record, conditions }: Summary): Section[] {
  const rates = summarizeRates(record, conditions);
  const headlines = conditions.filter(({ load }) => {
    // Of several rates there is a chart of its own.
    return load.kind === 'closed' || rates?.loads.length === 1;
  });
  return [
    ...chartsSection('By rate', rates ? rateCharts(rates) : []),
    ...headlineSections(headlines),
    ...conditions.flatMap((condition) => pairsSections(condition, record.plan.equivalence)),
    ...chartsSection('Latency and its tail', conditions.map(quantilesChart)),
    ...conditions.flatMap((condition) => ownersSections(record, condition)),
    ...chartsSection(
      'Second by second',
      conditions.flatMap((condition) => secondsCharts(record, condition)),
    ),
    ...chartsSection(
      'Every slice, in the order in which it ran',
      conditions.map((condition) => slicesChart(record, condition)),
    ),
  ];
}

function chartsSection(heading: string, charts: (Plot | null)[]): Section[] {
  const drawn = charts.filter((chart) => chart !== null);
  if (drawn.length === 0) return [];
  return [
    section(
      heading,
      drawn.map((chart) => ({ kind: 'figure', chart })),
    ),
  ];
}
