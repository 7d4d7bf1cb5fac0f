import { summarizeClaims } from '../../summary/claims.ts';
import { summarizeOverheads, summarizeTopologies } from '../../summary/comparisons.ts';
import { judgementsOf } from '../../summary/published.ts';
import { summarizeRates } from '../../summary/rates.ts';
import { summarizeScaling } from '../../summary/scaling.ts';
import type { Summary } from '../../summary/summary.ts';
import type { Chart, Section } from '../document.ts';
import { section } from '../section.ts';
import { headlineCharts } from './headlines.ts';
import { ownersChart } from './owners.ts';
import { pairsChart } from './pairs.ts';
import { publishedChart } from './published.ts';
import { quantilesChart } from './quantiles.ts';
import { rateCharts } from './rates.ts';
import { scalingChart } from './scaling.ts';
import { secondsCharts } from './seconds.ts';
import { slicesChart } from './slices.ts';
import { stepsChart } from './steps.ts';

/** All charts of a run, the answer first; what it did not measure is left out. */
export function chartSections({ record, conditions }: Summary): Section[] {
  const { plan } = record;
  const overheads = summarizeOverheads(record, conditions);
  const rates = summarizeRates(record, conditions);
  const scaling = summarizeScaling(record, conditions, summarizeTopologies(record, conditions));
  const headlines = conditions.filter(({ load }) => {
    // Of several rates, and of predictions, there is a chart of its own.
    return load !== scaling?.load && (load.kind === 'closed' || rates?.loads.length === 1);
  });
  const judgements = judgementsOf(record);
  const claims = judgements && summarizeClaims(record, conditions, judgements);
  return [
    ...chartsSection('What it costs', [
      overheads && stepsChart(overheads),
      scaling && scalingChart(scaling),
      ...(rates ? rateCharts(rates) : []),
      ...headlineCharts(headlines),
    ]),
    ...chartsSection(
      'Every two, side by side',
      conditions.map((condition) => pairsChart(condition, plan.equivalence)),
    ),
    ...chartsSection('Latency and its tail', conditions.map(quantilesChart)),
    ...chartsSection(
      'Who used the CPU',
      conditions.map((condition) => ownersChart(record, condition)),
    ),
    ...chartsSection(
      'Second by second',
      conditions.flatMap((condition) => secondsCharts(record, condition)),
    ),
    ...chartsSection(
      'Every slice, in the order in which it ran',
      conditions.map((condition) => slicesChart(record, condition)),
    ),
    ...chartsSection('What others published', [claims && publishedChart(claims)]),
  ];
}

function chartsSection(heading: string, charts: (Chart | null)[]): Section[] {
  const drawn = charts.filter((chart) => chart !== null);
  if (drawn.length === 0) return [];
  return [
    section(
      heading,
      drawn.map((chart) => ({ kind: 'figure', chart })),
    ),
  ];
}
