import { expect, test } from 'vitest';
import { notMeasuredSection } from '../../../src/report/sections/not-measured.ts';
import type { RunOptions } from '../../../src/request/run-options.ts';
import { makeRecord } from '../../support/make-record.ts';
import { shown } from '../look.ts';

const COST = { connections: 100, pipelining: 10 };

const ALONE =
  /^Not measured\n.*one question: .*Requests\/s and latency .* need the full run: .* without --quick\.$/;

test.each<[string, Partial<RunOptions>, RegExp]>([
  ['cost as a single process alone', COST, ALONE],
  ['requests/s', {}, /^$/],
  ['clusters too', { ...COST, topologies: ['single', 2] }, /^$/],
  ['clusters alone', { ...COST, topologies: [2] }, /^$/],
])(
  'what a run leaves out is told where it asked for cost as a single process alone: %s',
  (_, options, text) => {
    const sections = notMeasuredSection(makeRecord({ options }, () => null).plan);
    expect(sections.map((each) => shown(each)).join()).toMatch(text);
  },
);
