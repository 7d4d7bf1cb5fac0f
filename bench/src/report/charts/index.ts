import { headlineOf } from '../../figures/figures.ts';
import type { Load } from '../../plan/loads.ts';
import { ownersOf } from '../../summary/charts.ts';
import { summarizeRates } from '../../summary/rates.ts';
import type { Condition, RankedPair, Summary } from '../../summary/summary.ts';
import { type Block, type Plot, type Section, tableOf } from '../document.ts';
import { intervals, partColumns } from '../drawings.ts';
import { asked, number, plusMinus } from '../format.ts';
import { conditionName, HEADLINES, loadName } from '../names.ts';
import { section, sectionIfAny } from '../section.ts';
import { comparisonColumns, figure, ownerName, PLACE } from '../sections/columns.ts';
import { quantilesCharts, rateCharts, secondsCharts, slicesCharts } from './plots.ts';

/** The charts of a run, without those of figures that it did not measure. */
export function chartSections(summary: Summary): Section[] {
  const { conditions } = summary;
  const rates = summarizeRates(summary);
  const headlines = conditions.filter(({ load }) => {
    // Several rates have charts of their own.
    return load.kind === 'closed' || rates?.loads.length === 1;
  });
  return [
    ...chartsSection('By rate', rates ? rateCharts(rates) : []),
    ...[...Map.groupBy(headlines, ({ load }) => load)].flatMap(headlineSections),
    ...conditions.flatMap(pairsSections),
    ...chartsSection('Latency and its tail', conditions.flatMap(quantilesCharts)),
    ...conditions.flatMap(ownersSections),
    ...chartsSection('Second by second', conditions.flatMap(secondsCharts)),
    ...chartsSection('Every slice over time', conditions.flatMap(slicesCharts)),
  ];
}

function chartsSection(heading: string, charts: readonly Plot[]): Section[] {
  const figures = charts.map((chart): Block => ({ kind: 'figure', chart }));
  return figures.length === 0 ? [] : [section(heading, figures)];
}

function headlineSections([load, conditions]: [Load, Condition[]]): Section[] {
  const rows = conditions.flatMap(({ cells }) => cells.filter(({ figures }) => figures));
  const { head, unit } = HEADLINES[load.headline];
  const columns = [
    figure('', head, ({ headline }) => plusMinus(headline, unit)),
    intervals('values', '', rows, ({ figures }) => figures?.headline),
  ];
  const better = headlineOf(load).better === 'less' ? 'Lower' : 'Higher';
  const text = `${better} is better. The 95 % intervals are over launches.`;
  const table = tableOf(PLACE, columns, rows);
  return sectionIfAny(`At a glance, ${loadName(load)}`, table, text);
}

function ownersSections(condition: Condition): Section[] {
  const rows = ownersOf(condition).map(({ target, cores, together }) => {
    const parts = cores.map((each) => ({ name: ownerName(each.owner), value: each.cores }));
    return { target, parts, together };
  });
  const columns = partColumns(rows, number, ({ together }) => number(together));
  const heading = `Who used the CPU, ${conditionName(condition)}`;
  const text = 'Cores kept busy in the median slice, by the processes that used them.';
  const table = tableOf(['cores', ({ target }) => target.label], columns, rows);
  return sectionIfAny(heading, table, text);
}

function pairsSections(condition: Condition): Section[] {
  const { times, verdict } = comparisonColumns<RankedPair>('', ({ comparison }) => comparison);
  const rows = condition.pairs.filter(({ comparison }) => comparison.ratio.kind !== 'none');
  const { what } = HEADLINES[condition.load.headline];
  const columns = [
    times(`${what}, ratio`),
    intervals<RankedPair>('ratios', '', rows, ({ comparison }) => comparison.ratio),
    verdict(),
  ];
  const nameOf = ({ worse, better }: RankedPair) => `${worse.label} / ${better.label}`;
  const text =
    'Ratios are taken within rounds; each interval holds at 95 % for its pair alone. The verdicts hold for all pairs of ' +
    `this table together; ratios within ±${asked(condition.record.plan.equivalence)} count as the same.`;
  const table = tableOf(['pair', nameOf], columns, rows);
  return sectionIfAny(`All pairs, ${conditionName(condition)}`, table, text);
}
