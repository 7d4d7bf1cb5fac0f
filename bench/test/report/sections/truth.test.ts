import { join } from 'node:path';
import { expect, test } from 'vitest';
import { truthSection } from '../../../src/report/sections/truth.ts';
import type { TruthFindings } from '../../../src/studies/truth/findings.ts';
import { interval } from '../../support/make-record.ts';
import { shown } from '../look.ts';

const cost = (us: number, offNs: number) => ({
  label: `${us} µs`,
  known: { low: us * 990, high: us * 1020 },
  measured: interval(us * 1000 + offNs, us * 1000 + offNs - 150, us * 1000 + offNs + 150),
  missNs: Math.max(0, offNs - us * 20),
  found: offNs < 300,
});

const MISSED: TruthFindings = {
  costs: [cost(1, 0), cost(3, 120), cost(10, 900)],
  twins: { ratio: interval(1.004, 0.995, 1.013), verdict: 'same', found: true },
  size: { known: 1200, measured: 1200, found: true },
  found: false,
};

test.each([80, 160])('the truth at %d columns is as shown', async (width) => {
  const text = shown(truthSection(MISSED), width);
  const golden = join(import.meta.dirname, '../golden', `truth-${width}.txt`);
  await expect(`${text}\n`).toMatchFileSnapshot(golden);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
});

test('what was missed is named, and what was found is not', () => {
  const text = shown(truthSection(MISSED));
  expect(text).toContain('The harness missed: 10 µs more, CPU µs/request.');
  const found = { ...MISSED, costs: [cost(1, 0)], found: true };
  expect(shown(truthSection(found))).toContain('The harness finds what is known.');
});

test('what was not measured has no figure', () => {
  const none = { kind: 'none' } as const;
  const section = truthSection({
    costs: [
      {
        label: '1 µs',
        known: { low: Number.NaN, high: Number.NaN },
        measured: none,
        missNs: Number.NaN,
        found: false,
      },
    ],
    twins: { ratio: none, verdict: "can't tell", found: false },
    size: { known: 1200, measured: null, found: false },
    found: false,
  });
  expect(shown(section)).not.toMatch(/NaN|Infinity/);
});
