import { expect, test } from 'vitest';
import type { Warmup } from '../../src/record/record.ts';
import { footOf } from '../../src/report/foot.ts';
import { summarize } from '../../src/summary/summary.ts';
import { makeRecord } from '../support/make-record.ts';

function warmupsOf(outcome: Warmup['outcome'], ...servers: string[]): Warmup[] {
  const batches = [{ asked: null, answers: 96_000, ns: 1.42e9, cpuNs: 0, bytes: 0 }];
  const ns = outcome === 'settled' ? 1.42e9 : 3e9;
  return servers.map((server) => ({ server, launch: 0, batches, ns, outcome }));
}

const settled = (...servers: string[]) => warmupsOf('settled', ...servers);
const capped = (...servers: string[]) => warmupsOf('capped', ...servers);
const ALL = ['floor', 'middle', 'top'].flatMap((name) => [`${name}/single`, `${name}/2`]);
const MEDIAN = 'In the median start a server had settled after 1.42 s and 96,000 requests.';
const NOT = 'had not settled within 3 s of warm-up';

test.each<[end: string, Warmup[], details: boolean]>([
  [`MB. ${MEDIAN}`, settled('floor/single', 'top/2'), true],
  [
    `MB. ${MEDIAN} 3 of 4 starts ${NOT}: top (single), top (2).`,
    [...settled('floor/2'), ...capped('top/single', 'top/single', 'top/2')],
    true,
  ],
  [
    `MB. 6 of 6 starts ${NOT}: floor (single), floor (2), middle (single) and 3 more.`,
    capped(...ALL),
    true,
  ],
  ['MB.', [], true],
  [`%). 1 of 2 starts ${NOT}.`, [...settled('floor/single'), ...capped('top/single')], false],
  ['%).', settled('floor/single'), false],
])('with warm-ups the foot ends with "%s"', (end, warmups, details) => {
  const options = { topologies: ['single' as const, 2], warmupS: 3 };
  const summary = summarize(makeRecord({ options, warmups }, () => ({ ok: 1 })));
  const foot = footOf(summary, { details, explain: false });
  expect(foot.slice(-end.length - 1)).toBe(` ${end}`);
});
