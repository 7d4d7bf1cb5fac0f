import { expect, test } from 'vitest';
import { pointOf } from '../../src/math/statistics.ts';
import { whereSections } from '../../src/report/sections/where.ts';
import { renderSections } from '../../src/report/text.ts';
import { summarizeWhere, type Where } from '../../src/summary/where.ts';
import { plain } from '../report/look.ts';
import { failuresOf } from '../support/failures.ts';
import { makeWhereRecord } from '../support/make-where-record.ts';

const agreements = (wheres: Where[]) => wheres.map(({ agreement }) => agreement);

test.each([
  ['samples show a fifth more than there is', { samplesTimes: 1.2 }],
  ['a request costs a fifth more if it can be sampled', { unsampledTimes: 1 / 1.2 }],
])('what was measured is a fifth more than an unsampled server takes if %s', (_, changes) => {
  const off = summarizeWhere(makeWhereRecord(changes));
  // The kernel's share is the system's, whatever samples show.
  const low = expect.toSatisfy((times: number) => times > 1.1);
  const value = expect.closeTo(1.2, 1);
  expect(off[1]?.overUnsampled).toMatchObject({ kind: 'interval', value, low });
  expect(agreements(off)).toEqual(['agrees', 'off']);
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

const usual = summarizeWhere(makeWhereRecord());
const textOf = (wheres: Where[], details = false) => {
  return renderSections(whereSections(wheres, details), plain(160)).replaceAll(/\s+/g, ' ');
};

test('the sections on where the time goes say that it is not known where no such server ran', () => {
  const none = { overUnsampled: { kind: 'none' }, agreement: "can't tell" } as const;
  const unchecked = usual.map((each) => ({ ...each, ...none }));
  expect(textOf(unchecked)).toContain('This record does not show whether the parts add up');
});

test('the sections on where the time goes have everything in detail: small parts, and the functions beneath each', () => {
  const text = textOf(usual, true);
  expect(text).toContain('its own code');
  expect(text).toContain('· send lib/response.js:12 1.01');
  expect(text).not.toContain('Not shown: ');
});

test('the sections on where the time goes say so where nothing was sampled', () => {
  expect(textOf([])).toContain('Nothing was sampled here.');
});
