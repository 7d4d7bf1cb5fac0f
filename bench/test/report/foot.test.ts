import { describe, expect, test } from 'vitest';
import type { RunRecord, Warmup } from '../../src/record/record.ts';
import { footOf } from '../../src/report/foot.ts';
import type { TopologyName } from '../../src/request/option-values.ts';
import { summarize } from '../../src/summary/summary.ts';
import { makeRecord } from '../support/make-record.ts';

const TOPOLOGIES: TopologyName[] = ['single', 2];

function startOf(server: string, outcome: Warmup['outcome']): Warmup {
  const batches = [{ asked: null, answers: 96_000, ns: 1.42e9, cpuNs: 0, bytes: 0 }];
  return { server, launch: 0, batches, ns: outcome === 'settled' ? 1.42e9 : 3e9, outcome };
}

const settled = (...servers: string[]) => servers.map((server) => startOf(server, 'settled'));
const capped = (...servers: string[]) => servers.map((server) => startOf(server, 'capped'));

function footWith(warmups: RunRecord['warmups'], details = true): string {
  const options = { topologies: TOPOLOGIES, warmupS: 3 };
  const record = makeRecord({ options, warmups }, () => ({ ok: 1 }));
  return footOf(summarize(record), { details, explain: false });
}

const MEDIAN = 'Servers had settled after 1.42 s and 96,000 requests in the median start.';

describe('the foot tells of warm-ups', () => {
  test('what the median start took', () => {
    expect(footWith(settled('floor/single', 'top/2'))).toMatch(new RegExp(` MB\\. ${MEDIAN}$`));
  });

  test('which servers had not settled in time', () => {
    expect(
      footWith([...settled('floor/2'), ...capped('top/single', 'top/single', 'top/2')]),
    ).toContain(
      `${MEDIAN} 3 of 4 starts had not settled within 3 s of warm-up: top (single), top (2).`,
    );
  });

  test('a few names, and how many more', () => {
    const servers = ['floor', 'middle', 'top'].flatMap((name) => [`${name}/single`, `${name}/2`]);
    expect(footWith(capped(...servers))).toMatch(
      / MB\. 6 of 6 starts had not settled within 3 s of warm-up: floor \(single\), floor \(2\), middle \(single\) and 3 more\.$/,
    );
  });

  test('nothing where there were none', () => {
    expect(footWith([])).toMatch(/ MB\.$/);
  });

  test('only what is amiss, in short', () => {
    const some = [...settled('floor/single'), ...capped('top/single')];
    expect(footWith(some, false)).toMatch(
      / %\)\. 1 of 2 starts had not settled within 3 s of warm-up\.$/,
    );
    expect(footWith(settled('floor/single'), false)).toMatch(/ %\)\.$/);
  });
});
