import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { renderHead, serverName } from '../../src/report/head.ts';
import type { Rate, TopologyName } from '../../src/request/option-values.ts';
import { makeClusterRecord } from '../support/make-cluster-record.ts';
import { makeMachine, makeRecord, makeTarget } from '../support/make-record.ts';
import { plain } from './look.ts';

const headOf = (record: RunRecord) => renderHead(record, plain(10_000));
const nothing = () => null;

describe('the head of a report', () => {
  test('says on what, how, with which seed and when it was measured', () => {
    expect(headOf(makeRecord({ options: { seed: 7 } }, nothing))).toBe(
      'overhead frameworks\nMeasured on Synthetic CPU, 4 cores, under KVM, linux x64 6.18.0, Node 24.0.0. ' +
        '2 launches × 3 slices of 1 s for each cell, dealt round-robin; seed 7; 2026-01-02T03:04:05.678Z.',
    );
  });

  test('says which loads are measured in which way, where that differs', () => {
    expect(headOf(makeClusterRecord(nothing))).toContain(
      '3 launches × 2 slices of 4 s for each cell, dealt round-robin, under the feasible load and with one request at a time; ' +
        '10 s unbroken for each cell, under the overload; seed',
    );
  });

  test.each(['interrupted', 'running'] as const)('says that a run is %s', (state) => {
    expect(headOf(makeRecord({ state }, nothing))).toMatch(/\. This run was [^.]+complete[^.]*\.$/);
  });

  test('says what the loads are made for', () => {
    expect(headOf(makeClusterRecord(nothing))).toContain(
      'In a pilot run a request to the slowest, fib (single), took 100 ms alone: the feasible load is made for that.',
    );
  });

  test('says what the rates are shares of', () => {
    const rates: Rate[] = [0.1, 0.5].map((share) => ({ kind: 'share', share }));
    const basis = { kind: 'capacity', server: 'floor/2', perS: 12_340 } as const;
    expect(
      headOf(makeRecord({ options: { rates, topologies: ['single', 2] }, basis }, nothing)),
    ).toContain(
      'In a pilot run the slowest, floor (2), answered 12,340 requests/s at its limit. The rates are shares of that: 1,230 (9.97 %), 6,170 (50.0 %).',
    );
  });
});

describe('that max is less than what pm2 makes of it', () => {
  const limited = makeMachine({ parallelism: 2, pm2Max: 8 });
  const warned = (topologies: TopologyName[], machine = limited) => {
    return headOf(makeRecord({ options: { topologies }, machine }, nothing)).includes('pm2');
  };

  test('is said where max was asked for', () => {
    const head = headOf(
      makeRecord({ options: { topologies: ['max'] }, machine: limited }, nothing),
    );
    expect(head).toMatch(
      /\nHere max is 2: .* pm2's own max would start 8; give pm2 a number instead\.$/,
    );
    expect(warned(['pmx:max'])).toBe(true);
  });

  test('is not said where nothing was asked for, or nothing is less', () => {
    expect(warned(['single', 2])).toBe(false);
    expect(warned(['max'], makeMachine({ parallelism: 8, pm2Max: 8 }))).toBe(false);
  });
});

test('a server is named by its target and topology, one that is unknown as it is', () => {
  const targets = [makeTarget('app', { label: 'App' })];
  const record = makeRecord({ targets, options: { topologies: ['single', 'max'] } }, nothing);
  expect(['app/single', 'app/4', 'other/1'].map((server) => serverName(record, server))).toEqual([
    ...['App (single)', 'App (max = 4)', 'other/1'],
  ]);
});
