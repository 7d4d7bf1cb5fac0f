import { describe, expect, test } from 'vitest';
import { unaskedSection } from '../../../src/report/sections/unasked.ts';
import type { RunOptions } from '../../../src/request/run-options.ts';
import { makeRecord } from '../../support/make-record.ts';
import { shown } from '../look.ts';

const COST = { connections: 100, pipelining: 10 };

function unaskedOf(options: Partial<RunOptions>): string[] {
  return unaskedSection(makeRecord({ options }, () => null).plan).map((each) => shown(each));
}

describe('what a run leaves out', () => {
  test('is told where it asked for cost as a single process alone', () => {
    expect(unaskedOf(COST)).toEqual([
      expect.stringMatching(
        /^What it leaves out\n.*one question: .*Requests\/s and latency .* need the full run: .* without --quick\.$/s,
      ),
    ]);
  });

  test.each([
    { what: 'requests/s', options: {} },
    { what: 'clusters', options: { ...COST, topologies: ['single', 2] } },
    { what: 'clusters alone', options: { ...COST, topologies: [2] } },
  ] satisfies { what: string; options: Partial<RunOptions> }[])(
    'is nothing where it asked for $what too',
    ({ options }) => {
      expect(unaskedOf(options)).toEqual([]);
    },
  );
});
