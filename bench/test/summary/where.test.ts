import { describe, expect, test } from 'vitest';
import { partKey } from '../../src/figures/where.ts';
import { pointOf } from '../../src/math/statistics.ts';
import { summarizeWhere, type Where } from '../../src/summary/where.ts';
import { failuresOf } from '../support/failures.ts';
import { makeWhereRecord } from '../support/make-where-record.ts';
import { present } from '../support/summaries.ts';

function partOf(where: Where | undefined, key: string) {
  const found = where?.parts.find(({ part }) => partKey(part) === key);
  return present(found, key);
}

const agreements = (wheres: Where[]) => wheres.map(({ agreement }) => agreement);

describe('where the time of each target goes', () => {
  const wheres = summarizeWhere(makeWhereRecord());
  const [floor, express] = wheres;

  test('is known over launches, and adds up to what was measured', () => {
    expect(wheres.map(({ target }) => target.name)).toEqual(['floor', 'express']);
    expect(partOf(express, '(kernel)').ns).toMatchObject({ kind: 'interval', value: 2000 });
    for (const { measured, together } of wheres) {
      expect(together.kind).toBe('interval');
      expect((pointOf(together) ?? 0) / (pointOf(measured) ?? 1)).toBeCloseTo(1, 6);
    }
  });

  test('agrees with the same server in a process that is never sampled', () => {
    expect(agreements(wheres)).toEqual(['agrees', 'agrees']);
    for (const { overUnsampled } of wheres) {
      expect(overUnsampled).toMatchObject({ kind: 'interval', value: expect.closeTo(1, 6) });
    }
  });

  test.each([
    ['samples show a fifth more than there is', { samplesTimes: 1.2 }],
    ['a request costs a fifth more if it can be sampled', { unsampledTimes: 1 / 1.2 }],
  ])('is a fifth more than that server takes if %s', (_, changes) => {
    const off = summarizeWhere(makeWhereRecord(changes));
    // The kernel's share is the system's, whatever samples show.
    const low = expect.toSatisfy((times: number) => times > 1.1);
    const value = expect.closeTo(1.2, 1);
    expect(off[1]?.overUnsampled).toMatchObject({ kind: 'interval', value, low });
    expect(agreements(off)).toEqual(['agrees', 'off']);
  });

  test('has for each part the difference to the base, in each launch', () => {
    const { more, ns, files } = partOf(express, 'express 5.3.0');
    expect(pointOf(ns)).toBeCloseTo(5050, -1);
    expect(pointOf(more)).toBe(pointOf(ns));
    expect(files.map(({ file }) => file)).toEqual(['lib/application.js', 'lib/response.js']);
    expect(pointOf(partOf(express, '(node)').more)).toBeCloseTo(2020, -1);
    // The base has code of its own, and this one has none.
    expect(pointOf(partOf(express, '(own)').more)).toBeLessThan(0);
    expect(floor?.over).toBeNull();
    expect(partOf(floor, '(node)').more).toEqual({ kind: 'none' });
  });

  test('names the most expensive functions first', () => {
    const [first, second] = partOf(express, 'express 5.3.0').functions;
    expect(first).toMatchObject({ name: 'handle', file: 'lib/application.js', line: 12 });
    expect(second).toMatchObject({ name: 'send' });
  });
});

test('a target whose server failed is left out, also as the base of others', () => {
  const failures = failuresOf('floor/single');
  const [express, ...others] = summarizeWhere({ ...makeWhereRecord(), failures });
  expect(others).toEqual([]);
  expect(express).toMatchObject({ target: { name: 'express' }, over: null });
});

test('a difference that counts as the same is not off, however well it is known', () => {
  const [, express] = summarizeWhere(makeWhereRecord({ unsampledTimes: 1.005 }));
  const { overUnsampled = { kind: 'none' }, agreement } = express ?? {};
  expect(pointOf(overUnsampled)).toBeLessThan(0.996);
  expect(agreement).toBe('agrees');
});

test("a difference within wide errors can't be told", () => {
  const record = makeWhereRecord();
  for (const { cell, launch, measurement } of record.slices) {
    if (cell.startsWith('express@')) measurement.cpu.server.cpuNs *= 1 + 0.3 * (launch - 1);
  }
  const wheres = summarizeWhere(record);
  expect(wheres[1]?.overUnsampled.kind).toBe('interval');
  expect(agreements(wheres)).toEqual(['agrees', "can't tell"]);
});

test('nothing is known of the agreement without servers that are never sampled', () => {
  const record = makeWhereRecord();
  const slices = record.slices.filter(({ cell }) => !cell.includes('@unsampled'));
  const wheres = summarizeWhere({ ...record, slices });
  expect(wheres.map(({ overUnsampled }) => overUnsampled.kind)).toEqual(['none', 'none']);
  expect(agreements(wheres)).toEqual(["can't tell", "can't tell"]);
  // A run without profiles shows nothing at all.
  expect(summarizeWhere({ ...record, profiles: [] })).toEqual([]);
});
