/** The figures of saved runs in docs/METHOD.md, misses included, are those of their records. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mean, quantile } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../src/base/files.ts';
import { CPU, responsesOf, sidesOf, slicesOf, sum } from '../../src/figures/figures.ts';
import { difference, estimateMean, type Range } from '../../src/math/statistics.ts';
import { type RunRecord, recordSchema, targetOf } from '../../src/record/record.ts';
import { duration, microseconds, percent, signedPlusMinus } from '../../src/report/format.ts';
import { findTruth, type TruthFindings } from '../../src/studies/truth/findings.ts';
import { summarizeOverheads } from '../../src/summary/comparisons.ts';
import { summarize } from '../../src/summary/summary.ts';
import type { Target } from '../../src/targets/targets.ts';
import { outcomesSchema, tally } from '../ab-pairs/pairs.ts';
import { ROOT } from './documents.ts';

const METHOD = readFileSync(join(ROOT, 'docs/METHOD.md'), 'utf8');
/** On one line. */
const TEXT = METHOD.replaceAll(/\s+/g, ' ');
/** The rows of all its tables, as cells. */
const ROWS = METHOD.split('\n')
  .filter((line) => line.startsWith('|'))
  .map((row) => row.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim()));

const saved = (name: string) => readJson(join(ROOT, `docs/runs/${name}.json.gz`), [recordSchema]);

const areApart = (a: Range, b: Range) => a.low > b.high || b.low > a.high;

function savedRuns(pattern: string): string[] {
  const paths = globSync(`docs/runs/${pattern}.json.gz`, { cwd: ROOT });
  return paths.map((path) => basename(path, '.json.gz')).sort();
}

describe('repeated runs of the frameworks', () => {
  const names = savedRuns('{frameworks,{frameworks,quick}-[0-9]}');
  const rows = ROWS.filter(([run = '']) => /^(frameworks|(frameworks|quick)-\d)$/.test(run));

  const runs = names.map((name) => {
    const record = saved(name);
    const summary = summarize(record);
    const steps = summarizeOverheads(summary)?.rows ?? [];
    // In the order of the columns.
    const added = ['fastify-app', 'nest-fastify', 'express-app', 'nest-express'].map((target) => {
      const difference = steps.find((each) => each.target.name === target)?.comparison.difference;
      if (difference?.kind !== 'interval') throw new Error(`no interval for ${target}`);
      return difference;
    });
    const measured = percent(summary.measuredNs / record.wallNs);
    return { name, shown: [duration(record.wallNs), measured], added };
  });

  test('are three with the defaults and five quick ones, with the figures of their records', () => {
    const kinds = names.map((name) => name.replace(/-.*/, ''));
    expect(kinds).toEqual([...Array(3).fill('frameworks'), ...Array(5).fill('quick')]);
    const expected = runs.map(({ name, shown, added }) => {
      return [name, ...shown, ...added.map((difference) => signedPlusMinus(difference, 1000))];
    });
    expect(rows).toEqual(expected);
  });

  test('agree as METHOD says', () => {
    const pairs = runs.flatMap((run, at) => {
      return runs.slice(at + 1).flatMap((other) => {
        return run.added.map((own, step) => [own, other.added[step] ?? own] as const);
      });
    });
    expect(pairs.filter(([own, other]) => areApart(own, other))).toEqual([]);
    expect(TEXT).toContain(`All ${pairs.length} pairs of intervals for one step overlap`);
  });
});

type KnownAndMeasured = ReturnType<typeof knownAndMeasured>[number];

/** The known costs in one truth run: their bounds, and the 95 % interval of what was measured, ns. */
function knownAndMeasured({ costs }: TruthFindings) {
  return costs.map(({ label, known, sides }) => {
    const measured = difference(sides);
    if (measured.kind !== 'interval') throw new Error(`no interval for ${label}`);
    const { value, low, high } = measured;
    return {
      label,
      known,
      value,
      off: value - Math.min(Math.max(value, known.low), known.high),
      half: (high - low) / 2,
      holds: low <= known.high && high >= known.low,
    };
  });
}

describe('repeated truth runs', () => {
  const records = savedRuns('truth/[0-9]*').map((name) => saved(`truth/${name}`));
  const all = records.map(findTruth);
  const found = all.map(knownAndMeasured);
  const labels = found[0]?.map(({ label }) => label) ?? [];

  test('have the seeds that were fixed beforehand', () => {
    expect(records.map(({ plan }) => plan.seed)).toEqual(records.map((_, run) => 8101 + run));
  });

  test.each(labels)('have this cost as METHOD says: %s', (label) => {
    const own = found.flatMap((run) => run.filter((each) => each.label === label));
    const meanOf = (of: (run: KnownAndMeasured) => number) => microseconds(mean(own.map(of)));
    const off = own.map((run) => run.off);
    const halves = own.map((run) => run.half);
    expect(ROWS.find(([name, ...rest]) => name === label && rest.length === 5)).toEqual([
      label,
      `${meanOf(({ known }) => known.low)} to ${meanOf(({ known }) => known.high)}`,
      meanOf(({ value }) => value),
      signedPlusMinus(estimateMean(off, 0.95), 1000),
      `±${microseconds(quantile(halves, 0.5))}`,
      `${own.filter(({ holds }) => holds).length} of ${own.length}`,
    ]);
  });

  test('are summed up as METHOD says', () => {
    const intervals = found.flat();
    const holding = intervals.filter(({ holds }) => holds).length;
    expect(TEXT).toContain(`${holding} of ${intervals.length} intervals reach the truth`);
    const verdicts = all.map(({ twins }) => twins.verdict);
    const same = verdicts.filter((verdict) => verdict === 'same').length;
    expect(TEXT).toContain(
      `The twins are \`same\` in ${same} of ${all.length}, never \`slower\` or \`faster\``,
    );
    expect(verdicts.filter((verdict) => verdict === 'slower' || verdict === 'faster')).toEqual([]);
    expect(all.filter(({ size }) => size.finding !== 'found')).toEqual([]);
    expect(TEXT).toContain(
      `${all.filter((run) => run.found).length} of ${all.length} runs found everything`,
    );
  });
});

describe('what a target adds under other arrivals', () => {
  const addedBy = (target: Target, record: RunRecord, load: string) => {
    const [own = [], base = []] = [target.name, target.over].map((name) => {
      const cell = record.plan.cells.find((each) => each.load === load && each.target === name);
      return cell === undefined ? [] : slicesOf(record, cell);
    });
    const added = difference(sidesOf(own, base, CPU));
    if (added.kind !== 'interval') throw new Error(`no interval for ${target.name}`);
    return added;
  };
  /** In the order of the columns. */
  const addedIn = (name: string) => {
    const [interleaved, contiguous] = [saved(name), saved(`${name}-contiguous`)];
    const targets = interleaved.targets.filter(({ over }) => over !== null);
    return targets.map((target) => ({
      label: target.label,
      cost: addedBy(target, interleaved, 'cost'),
      asItComes: addedBy(target, contiguous, 'custom'),
      published: addedBy(target, interleaved, 'published'),
      low: addedBy(target, interleaved, 'low'),
    }));
  };
  const targets = addedIn('arrivals');
  const onNoisierMachine = addedIn('arrivals-2');
  const apartIn = (all: typeof targets) => {
    const those = all.filter(({ cost, asItComes }) => areApart(cost, asItComes));
    return those.map(({ label }) => label);
  };

  test.each(targets)('is as METHOD says: $label', ({ label, ...columns }) => {
    const figures = Object.values(columns).map((added) => signedPlusMinus(added, 1000));
    const row = ROWS.find(([name, ...rest]) => name === label && rest.length === figures.length);
    expect(row).toEqual([label, ...figures]);
  });

  test('differs as METHOD says', () => {
    expect(apartIn(targets)).toEqual(['Nest + Express']);
    const timesOf = (load: 'published' | 'low') => {
      const times = targets.map((target) => target[load].value / target.cost.value);
      return [Math.min(...times), Math.max(...times)];
    };
    const [least = 0, most = 0] = timesOf('published').map((times) => times.toFixed(1));
    expect(TEXT).toContain(`each adds ${least} to ${most} times as much as under the cost load`);
    const [fewest = 0, largest = 0] = timesOf('low').map((times) => times.toFixed(0));
    expect(TEXT).toContain(`one at a time ${fewest} to ${largest} times`);
  });

  test('agrees on a noisier machine, within wider intervals', () => {
    expect(apartIn(onNoisierMachine)).toEqual([]);
    const widthsOf = (all: typeof targets) => all.map(({ cost }) => cost.high - cost.low);
    const widths = widthsOf(targets);
    expect(
      widthsOf(onNoisierMachine).map((width, index) => width > (widths[index] ?? width)),
    ).not.toContain(false);
  });
});

const record = saved('settling');
/** The borders of the columns: answers since the start. */
const edges = [0, 10, 30, 60, 100, 150, 250, 400].map((thousands) => thousands * 1000);

test.each(record.plan.cells)('servers settle as METHOD says: $id', (cell) => {
  const { label } = targetOf(record, cell.target);
  const columns = edges.slice(1).map(() => ({ costs: [] as number[], bytes: [] as number[] }));
  for (const own of Map.groupBy(slicesOf(record, cell), ({ launch }) => launch).values()) {
    let sent = 0;
    for (const slice of own.toSorted((a, b) => a.round - b.round)) {
      const { ledger, memory } = slice.measurement;
      const middle = sent + ledger.sent / 2;
      sent += ledger.sent;
      const column = columns[edges.findLastIndex((edge) => middle >= edge)];
      column?.costs.push(CPU.inLaunch([slice]));
      column?.bytes.push(memory.server);
    }
  }
  const cells = columns.map(({ costs, bytes }) => {
    if (costs.length === 0) return '–';
    const [cost, memory] = [quantile(costs, 0.25) / 1000, quantile(bytes, 0.5) / 1e6];
    return `${cost.toFixed(1)}, ${memory.toFixed(0)}`;
  });
  const row = ROWS.find((each) => each.length === edges.length && each[0] === label);
  expect(row).toEqual([label, ...cells]);
});

/** CPU time of a request in the garbage collector, by its own clock, and elsewhere, where many objects survive, ns. */
function collecting(record: RunRecord, arrangement: 'standard' | 'profiled') {
  const cell = record.plan.cells.find((each) => {
    return each.target === 'in-collector' && each.arrangement === arrangement;
  });
  if (cell === undefined) throw new Error('the truth has a server whose garbage survives');
  const slices = slicesOf(record, cell);
  const requests = sum(slices, responsesOf);
  const collected = record.collected.filter((each) => each.cell === cell.id);
  const collectorNs = sum(collected, ({ ns }) => ns);
  const serverNs = sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs);
  return { collector: collectorNs / requests, others: (serverNs - collectorNs) / requests };
}

test('the overhead of sampling in the collector is that of the record', () => {
  const record = saved('truth/where');
  const [plain, sampled] = [collecting(record, 'standard'), collecting(record, 'profiled')];
  const longer = (who: 'collector' | 'others') => {
    return `${Math.round((sampled[who] / plain[who] - 1) * 100)} %`;
  };
  expect(TEXT).toContain(
    `its collections took ${longer('collector')} longer, and all else ${longer('others')}`,
  );
});

test('what ab and the usual way say of known pairs is what was measured', () => {
  const outcomes = readFileSync(join(ROOT, 'docs/runs/ab-pairs/outcomes.json'), 'utf8');
  expect(METHOD).toContain(tally(outcomesSchema.parse(JSON.parse(outcomes))).join('\n'));
});
