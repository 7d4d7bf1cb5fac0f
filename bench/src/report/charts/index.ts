import { summarizeRates } from '../../summary/rates.ts';
import type { Summary } from '../../summary/summary.ts';
import type { Plot, Section } from '../document.ts';
import { section } from '../section.ts';
import { headlineSections } from './headlines.ts';
import { secondsCharts, slicesChart } from './over-time.ts';
import { ownersSections } from './owners.ts';
import { pairsSections } from './pairs.ts';
import { quantilesChart } from './quantiles.ts';
import { rateCharts } from './rates.ts';

/** The charts of a run, without those of figures that it did not measure. */
export function chartSections({ record, conditions }: Summary): Section[] {
  const rates = summarizeRates(record, conditions);
  const headlines = conditions.filter(({ load }) => {
    // Several rates have charts of their own.
    return load.kind === 'closed' || rates?.loads.length === 1;
  });
  const slices = conditions.map(slicesChart);
  return [
    ...chartsSection('By rate', rates ? rateCharts(rates) : []),
    ...headlineSections(headlines),
    ...conditions.flatMap((condition) => pairsSections(condition, record.plan.equivalence)),
    ...chartsSection('Latency and its tail', conditions.map(quantilesChart)),
    ...conditions.flatMap(ownersSections),
    ...chartsSection('Second by second', conditions.flatMap(secondsCharts)),
    ...chartsSection('Every slice over time', slices),
  ];
}

function chartsSection(heading: string, charts: readonly (Plot | null)[]): Section[] {
  const figures = charts
    .filter((chart) => chart !== null)
    .map((chart) => ({ kind: 'figure' as const, chart }));
  return figures.length === 0 ? [] : [section(heading, figures)];
}
