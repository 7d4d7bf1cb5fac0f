/** METHOD's table of what a lap and a launch are worth is what the saved runs say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, median, medianAbsoluteDeviation, sampleVariance } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { cpuPairs, cpuPerRequestOf, samples, slicesOf } from '../../src/figures/figures.ts';
import { pooledSpread } from '../../src/math/spreads.ts';
import { estimate, pointOf } from '../../src/math/statistics.ts';
import { blocksOf, type Cell, cellOf } from '../../src/plan/plan.ts';
import { type RunRecord, readRecord } from '../../src/record/record.ts';
import { summarize } from '../../src/summary/summary.ts';
import { ROOT } from './documents.ts';
import { tableRows } from './tables.ts';

const DEFAULT = ['frameworks', 'frameworks-2', 'frameworks-3'].map(read);
const QUICKS = [1, 2, 3, 4, 5].map((run) => read(`quick-${run}`));
/** Of so many launches, like those of a quick run, the table says how well they know a step. */
const LAUNCHES = 4;
const METHOD = readFileSync(join(ROOT, 'docs/METHOD.md'), 'utf8');
const ALL_ROWS = tableRows(METHOD);
const ROWS = ALL_ROWS.slice(ALL_ROWS.findIndex(([, first]) => first === 'S₁, a lap'));
/** Laps of a launch of a quick run, and what the launch takes beside them, in laps. */
const [LAPS, COST] = [mean(QUICKS.map(lapsIn)), mean(QUICKS.map(costOfLaunch))];
/** A normal distribution's deviation is so many times its median absolute deviation. */
const NORMAL = 1.4826;
/** The variance of a median over that of a mean, of many values that are normally distributed. */
const MEDIAN = Math.PI / 2;
const STEPS = [
  ['express-app', 'node-http', 'Express'],
  ['fastify-app', 'node-http', 'Fastify'],
  ['nest-express', 'express-app', 'Nest + Express'],
  ['nest-fastify', 'fastify-app', 'Nest + Fastify'],
] as const;

describe('what a lap and a launch are worth', () => {
  test.each(STEPS)('is told as the default runs have it: %s', (target, over, label) => {
    const { within, between } = variancesOf(target, over);
    const best = Math.sqrt((COST * MEDIAN * within) / between);
    const row = [within, between].map((variance) => `${(100 * Math.sqrt(variance)).toFixed(1)} %`);
    const alone = tQuantile(0.975, LAUNCHES - 1) * Math.sqrt(errorOf(target, over));
    const errors = STEPS.map(([each, base]) => errorOf(each, base));
    const together = tQuantile(0.975, freedomOf(errors.length)) * Math.sqrt(mean(errors));
    const widths = [alone, together].map(
      (half) => `±${((half * cpuOf(target)) / 1000).toFixed(2)}`,
    );
    expect(ROWS.find(([step]) => step === label)).toEqual([
      label,
      ...row,
      best.toFixed(0),
      ...widths,
    ]);
  });

  test('says what a launch of the plain servers costs', () => {
    expect(METHOD).toContain(`costs as much as ${COST.toFixed(0)} laps`);
  });
});

/** Of a lap, and of a launch beyond that: variances of log ratios. */
function variancesOf(target: string, over: string): { within: number; between: number } {
  const launches = DEFAULT.map((record) => launchesOf(record, target, over));
  const spreads = launches.flat().map((laps) => NORMAL * medianAbsoluteDeviation(laps));
  const within = mean(spreads.map((spread) => spread ** 2));
  const laps = mean(launches.flat().map(({ length }) => length));
  const medians = launches.map((own) => sampleVariance(own.map(median)));
  return { within, between: mean(medians) - (MEDIAN * within) / laps };
}

/** The variance of the mean of so many launches. */
function errorOf(target: string, over: string): number {
  const { within, between } = variancesOf(target, over);
  return (between + (MEDIAN * within) / LAPS) / LAUNCHES;
}

/** Degrees of freedom that the launches of so many steps have together. */
function freedomOf(steps: number): number {
  const launches = Array.from({ length: LAUNCHES }, (_, launch) => launch);
  const all = Array.from({ length: steps }, () => [...launches]);
  return pooledSpread(all[0] ?? [], all).freedom;
}

function read(name: string): RunRecord {
  return readRecord(join(ROOT, `docs/runs/${name}.json`));
}

/** The log ratios of each launch, lap by lap. */
function launchesOf(record: RunRecord, target: string, over: string): number[][] {
  const slices = (name: string) => slicesOf(record, costCell(record, name));
  const { ratios } = cpuPairs(slices(target), slices(over));
  const launches = Map.groupBy(ratios, ({ launch }) => launch);
  return [...launches.values()].map((own) => own.map(({ value }) => Math.log(value)));
}

/** CPU time of a request in the default runs, ns. */
function cpuOf(target: string): number {
  const costs = DEFAULT.map((record) => {
    const slices = slicesOf(record, costCell(record, target));
    return pointOf(estimate(samples(slices, cpuPerRequestOf))) ?? Number.NaN;
  });
  return mean(costs);
}

function costCell({ plan }: RunRecord, target: string): Cell {
  return cellOf(plan, `${target}/single/cost`);
}

/** Laps of a launch. */
function lapsIn({ plan }: RunRecord): number {
  return plan.rounds * blocksOf(plan, cellOf(plan, 'node-http/single/cost'));
}

/** What a launch of the plain servers takes beside its laps, in laps. */
function costOfLaunch(record: RunRecord): number {
  const { measuredNs } = summarize(record);
  return (lapsIn(record) * (record.wallNs - measuredNs)) / measuredNs;
}
