import { expect, test } from 'vitest';
import type { Warmup } from '../../src/record/record.ts';
import { footOf } from '../../src/report/run-report.ts';
import { summarize } from '../../src/summary/summary.ts';
import { makeRecord } from '../support/make-record.ts';

/** A warm-up of so many s, with twice so many answers. */
function warmupOf(server: string, outcome: Warmup['outcome'], s: number, answers: number): Warmup {
  const batch = { asked: null, answers, ns: s * 5e8, cpuNs: 0, bytes: 0 };
  return { server, launch: 0, batches: [batch, batch], ns: s * 1e9, outcome };
}

const settled = (server: string, s = 1.42, answers = 48_000) => {
  return warmupOf(server, 'settled', s, answers);
};
const capped = (...servers: string[]) => {
  return servers.map((server) => warmupOf(server, 'capped', 3, 900_000));
};
const ALL = ['floor', 'middle', 'top'].flatMap((name) => [`${name}/single`, `${name}/2`]);
const MEDIAN = 'In the median start a server had settled after 1.42 s and 96,000 requests.';
const NOT = 'had not settled within 3 s of warm-up';

test.each<[end: string, Warmup[], details?: boolean]>([
  [
    `MB. ${MEDIAN}`,
    [settled('floor/single'), settled('floor/2', 0.9, 10), settled('top/2', 2, 96_000)],
  ],
  [
    `MB. ${MEDIAN} 3 of 4 starts ${NOT}: top (single), top (2).`,
    [settled('floor/2'), ...capped('top/single', 'top/single', 'top/2')],
  ],
  [
    `MB. 6 of 6 starts ${NOT}: floor (single), floor (2), middle (single) and 3 more.`,
    capped(...ALL),
  ],
  ['MB.', []],
  [`%). 1 of 2 starts ${NOT}.`, [settled('floor/single'), ...capped('top/single')], false],
  ['%).', [settled('floor/single')], false],
])('with warm-ups the foot ends with "%s"', (end, warmups, details = true) => {
  const options = { topologies: ['single' as const, 2], warmupS: 3 };
  const summary = summarize(makeRecord({ options, warmups }, () => ({ ok: 1 })));
  const foot = footOf(summary, details);
  expect(foot.slice(-end.length - 1)).toBe(` ${end}`);
});
