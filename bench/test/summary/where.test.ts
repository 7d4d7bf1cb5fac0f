import { describe, expect, test } from 'vitest';
import { partKey } from '../../src/figures/where.ts';
import { pointOf } from '../../src/math/statistics.ts';
import { summarizeWhere, type Where } from '../../src/summary/where.ts';
import { makeWhereRecord } from '../support/make-where-record.ts';

function whereOf(name: string, wheres: Where[]): Where {
  const found = wheres.find(({ target }) => target.name === name);
  if (found === undefined) throw new Error(`nothing about ${name}`);
  return found;
}

function partOf({ parts }: Where, key: string) {
  const found = parts.find(({ part }) => partKey(part) === key);
  if (found === undefined) throw new Error(`no part ${key}`);
  return found;
}

describe('where the time of each target goes', () => {
  const wheres = summarizeWhere(makeWhereRecord());
  const express = whereOf('express', wheres);

  test('is known over launches, and comes to what was measured', () => {
    expect(wheres.map(({ target }) => target.name)).toEqual(['floor', 'express']);
    expect(partOf(express, '(kernel)').ns).toMatchObject({ kind: 'interval', value: 2000 });
    for (const { measured, together } of wheres) {
      expect(together.kind).toBe('interval');
      expect((pointOf(together) ?? 0) / (pointOf(measured) ?? 1)).toBeCloseTo(1, 6);
    }
  });

  test('is held against the same server in a process that nobody samples', () => {
    for (const { overUnsampled, agreement } of wheres) {
      expect(agreement).toBe('agrees');
      expect(overUnsampled).toMatchObject({ kind: 'interval' });
      expect(pointOf(overUnsampled)).toBeCloseTo(1, 6);
    }
  });

  test.each([
    ['samples tell of a fifth more than there is', { samplesTimes: 1.2 }],
    ['it is dearer by a fifth where it can be sampled', { unsampledTimes: 1 / 1.2 }],
  ])('is a fifth more than that server takes where %s', (_, changes) => {
    const off = summarizeWhere(makeWhereRecord(changes));
    const { overUnsampled } = whereOf('express', off);
    // The kernel's share is the system's, whatever samples tell.
    expect(pointOf(overUnsampled)).toBeGreaterThan(1.15);
    expect(pointOf(overUnsampled)).toBeLessThan(1.25);
    expect(overUnsampled.kind === 'interval' && overUnsampled.low).toBeGreaterThan(1.1);
    expect(off.map(({ target, agreement }) => [target.name, agreement])).toEqual([
      ['floor', 'agrees'],
      ['express', 'off'],
    ]);
  });

  test('has for each part what it takes more than of the base, in each launch', () => {
    const { more, ns, files } = partOf(express, 'express 5.3.0');
    expect(pointOf(ns)).toBeCloseTo(5050, -1);
    expect(pointOf(more)).toBe(pointOf(ns));
    expect(files.map(({ file }) => file)).toEqual(['lib/application.js', 'lib/response.js']);
    expect(pointOf(partOf(express, '(node)').more)).toBeCloseTo(2020, -1);
    // The base has code of its own, and this one has none.
    expect(pointOf(partOf(express, '(own)').more)).toBeLessThan(0);
    expect(whereOf('floor', wheres).over).toBeNull();
    expect(partOf(whereOf('floor', wheres), '(node)').more).toEqual({ kind: 'none' });
  });

  test('names the costliest functions first', () => {
    const [first, second] = partOf(express, 'express 5.3.0').functions;
    expect(first).toMatchObject({ name: 'handle', file: 'lib/application.js', line: 12 });
    expect(second).toMatchObject({ name: 'send' });
  });
});

test('of a target whose server failed nothing is told, and nothing of what it was to be held against', () => {
  const record = makeWhereRecord();
  const failure = { when: 'slice' as const, message: 'gone', logTail: [], died: true };
  record.failures = [0, 1, 2].map((launch) => ({ server: 'floor/single', launch, ...failure }));
  const [express, ...others] = summarizeWhere(record);
  expect(others).toEqual([]);
  expect(express).toMatchObject({ target: { name: 'express' }, over: null });
});

test('what is off by so little that it counts as the same is not off, however well it is known', () => {
  const [, express] = summarizeWhere(makeWhereRecord({ unsampledTimes: 1.005 }));
  expect(pointOf(express?.overUnsampled ?? { kind: 'none' })).toBeLessThan(0.996);
  expect(express?.agreement).toBe('agrees');
});

test("what is known within its errors alone can't be told, however wide these are", () => {
  const record = makeWhereRecord();
  for (const { cell, launch, measurement } of record.slices) {
    if (cell.startsWith('express@')) measurement.cpu.server.cpuNs *= 1 + 0.3 * (launch - 1);
  }
  const [floor, express] = summarizeWhere(record);
  expect(express?.overUnsampled.kind).toBe('interval');
  expect([floor?.agreement, express?.agreement]).toEqual(['agrees', "can't tell"]);
});

test('a record without servers that are never sampled says nothing of them', () => {
  const record = makeWhereRecord();
  const slices = record.slices.filter(({ cell }) => !cell.includes('@unsampled'));
  const wheres = summarizeWhere({ ...record, slices });
  expect(wheres.map(({ overUnsampled }) => overUnsampled.kind)).toEqual(['none', 'none']);
  expect(wheres.map(({ agreement }) => agreement)).toEqual(["can't tell", "can't tell"]);
});

test('a run that sampled nothing tells nothing', () => {
  expect(summarizeWhere({ ...makeWhereRecord(), profiles: [] })).toEqual([]);
});
