import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { runHead, serverName } from '../../src/report/head.ts';
import type { Rate, TopologyName } from '../../src/request/option-values.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { makeClusterRecord } from '../support/make-cluster-record.ts';
import { makeMachine, makeRecord, makeTarget } from '../support/make-record.ts';

const introOf = (record: RunRecord) => runHead(record).intro.join('\n');
const nothing = () => null;

describe('the head of a report', () => {
  test('says on what, how, with which seed and when it was measured', () => {
    expect(runHead(makeRecord({ options: { seed: 7 } }, nothing))).toEqual({
      title: 'overhead frameworks',
      intro: [
        'Measured on Synthetic CPU, 4 cores, under KVM, linux x64 6.18.0, Node 24.0.0. ' +
          '2 launches × 3 slices of 1 s for each cell, under the published load; ' +
          '1 slice of 3 s for each cell, under the cost load; 1 slice of 0.9 s for each cell, at a low rate; slices taken in random order; seed 7; 2026-01-02T03:04:05.678Z. ' +
          'Servers ran on cores 2 to 3, the generator on core 0.',
      ],
      warnings: [],
    });
  });

  test.each<[RunOptions['topologies'], boolean, number[], string]>([
    [['single', 2], false, [0, 1], 'core 1 (single) and every core (2), the generator on core 0'],
    [['single', 'max'], false, [0, 1, 2, 3], 'cores 2 to 3 (single) and every core (max = 4), the'],
    [['single', 2], true, [0, 1], 'every core, the generator on core 0'],
    [['single', 2], false, [0, 2, 3, 5], 'cores 3 and 5 (single) and cores 2, 3 and 5 (2)'],
  ])('says on which cores %j ran, unpinned %s, of %j', (topologies, unpinned, cores, words) => {
    const machine = makeMachine({ cores, parallelism: cores.length });
    const record = makeRecord({ options: { topologies, unpinned }, machine }, nothing);
    expect(introOf(record)).toContain(`Servers ran on ${words}`);
  });

  test('says that the generator was on another machine', () => {
    const machine = makeMachine({ cores: [0, 1], hostsGenerator: false });
    const record = makeRecord({ options: { topologies: ['single'] }, machine }, nothing);
    expect(introOf(record)).toContain('Servers ran on core 1, the generator on another machine.');
  });

  test('says that nothing was pinned where it can not be', () => {
    const record = makeRecord({ machine: makeMachine({ canPin: false }) }, nothing);
    expect(introOf(record)).toContain('Servers ran on every core, the generator on every core.');
  });

  test('says which loads are measured in which way, where that differs', () => {
    expect(introOf(makeClusterRecord(nothing))).toContain(
      '3 launches × 2 slices of 4 s for each cell, under the feasible load and with one request at a time; ' +
        '10 s unbroken for each cell, under the overload; slices taken in random order; seed',
    );
  });

  test.each(['interrupted', 'running'] as const)('says that a run is %s', (state) => {
    expect(introOf(makeRecord({ state }, nothing))).toMatch(
      /\. This run was [^.]+complete[^.]*\.$/,
    );
  });

  test('says what the loads are made for', () => {
    expect(introOf(makeClusterRecord(nothing))).toContain(
      'In a pilot run a request to the slowest, fib (single), took 100 ms alone: the feasible load is made for that.',
    );
  });

  test('says what the rates are shares of', () => {
    const rates: Rate[] = [0.1, 0.5].map((share) => ({ kind: 'share', share }));
    const pilot = { kind: 'capacity', server: 'floor/2', perS: 12_340 } as const;
    expect(
      introOf(
        makeRecord(
          { suite: ratesOf('frameworks'), options: { rates, topologies: ['single', 2] }, pilot },
          nothing,
        ),
      ),
    ).toContain(
      'In a pilot run the slowest, floor (2), answered 12,340 requests/s at its limit. The rates are shares of that: 1,230 (9.97 %), 6,170 (50.0 %).',
    );
  });
});

describe('that max is less than what pm2 makes of it', () => {
  const limited = makeMachine({ parallelism: 2, pm2Max: 8 });
  const warned = (topologies: TopologyName[], machine = limited) => {
    return runHead(makeRecord({ options: { topologies }, machine }, nothing)).warnings;
  };

  test('is said where max was asked for', () => {
    expect(warned(['max'])).toEqual([
      expect.stringMatching(
        /^Here max is 2: .* pm2's own max would start 8; give pm2 a number instead\.$/,
      ),
    ]);
    expect(warned(['pmx:max'])).toHaveLength(1);
  });

  test('is not said where nothing was asked for, or nothing is less', () => {
    expect(warned(['single', 2])).toEqual([]);
    expect(warned(['max'], makeMachine({ parallelism: 8, pm2Max: 8 }))).toEqual([]);
  });
});

test('a server is named by its target and topology, one that is unknown as it is', () => {
  const targets = [makeTarget('app', { label: 'App' })];
  const record = makeRecord({ targets, options: { topologies: ['single', 'max'] } }, nothing);
  expect(['app/single', 'app/4', 'other/1'].map((server) => serverName(record, server))).toEqual([
    ...['App (single)', 'App (max = 4)', 'other/1'],
  ]);
});
