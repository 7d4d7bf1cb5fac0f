import { describe, expect, test } from 'vitest';
import { evidenceText, FLAG_TEXTS } from '../../src/report/flag-texts.ts';
import type { Flag } from '../../src/validity/flags.ts';
import { interval } from '../support/make-record.ts';

const NONE = { kind: 'none' } as const;
const CASES: [Flag, string][] = [
  [
    { code: 'BAD_RESPONSE', wrong: 12, answers: 1200 },
    '12 of 1,200 answers had another status or body',
  ],
  [
    { code: 'LEDGER', sent: 99_100, unaccounted: 900 },
    'unaccounted for: 900 of 99,100 requests sent',
  ],
  [
    { code: 'LITTLE', ratio: 1.176, low: 0.9, high: 1.032 },
    'mean latency × throughput is 1.18 times connections × pipelining, where 0.90 to 1.03 can be explained',
  ],
  [
    { code: 'CENSORED', timedOut: 82_560, disconnected: 1, answered: 491, waiting: 0.997 },
    '82,560 requests timed out, 1 lost with a connection, 491 answered; of those under way at any time 99.7 % got no answer',
  ],
  [
    { code: 'CENSORED', timedOut: 1, disconnected: 0, answered: 99, waiting: null },
    '1 request timed out, 0 lost with a connection, 99 answered',
  ],
  [{ code: 'GENERATOR_BOUND', idleShare: 0.0027 }, 'the generator was idle for 0.27 % of the time'],
  [
    {
      code: 'REGIME',
      otherTarget: 'b',
      idleShare: 0,
      otherIdleShare: 0.2,
    },
    'the generator was idle for 0 % of the time, and for 20.0 % with b',
  ],
  [{ code: 'HEADROOM', ratio: 1.1 }, 'the canned answer came 1.10 times as often'],
  [
    { code: 'UNSATURATED', busyShare: 0.72, idleShare: 0.115 },
    'the server used 72.0 % of its cores, and the generator was idle for 11.5 % of the time',
  ],
  [
    { code: 'SHARED_CPU', workers: 1, by: 'processes', cores: 2 },
    '1 server process and the generator on 2 cores',
  ],
  [
    { code: 'SHARED_CPU', workers: 2, by: 'threads', cores: 2 },
    '2 server threads and the generator on 2 cores',
  ],
  [
    { code: 'LATE', late: 4, slices: 12, p99Ns: 1.53e6 },
    'in 4 of 12 slices more than 1 % of the requests left more than 1 ms late; the 99th percentile of the lateness was 1.53 ms in the median slice',
  ],
  [
    { code: 'GENERATOR_LOST', slices: 1, of: 6, share: 0.333 },
    'in 1 of 6 slices; 33.3 % of the requests planned there are not known',
  ],
  [
    { code: 'DROPPED', dropped: 1200, planned: 50_000 },
    '1,200 of 50,000 planned requests were never sent',
  ],
  [
    { code: 'BACKLOG', answeredShare: 0.5 },
    '50.0 % of the requests planned in the windows were answered in them',
  ],
  [
    { code: 'THROTTLED', cores: 0.25, periodsShare: 0.93, timeShare: 1.2 },
    '0.25 cores held it back in 93.0 % of the periods',
  ],
  [
    { code: 'UNSTEADY', halves: interval(1.06, 1.04, 1.08), capped: 0, slices: 30 },
    'the second half of a launch had 1.06 [1.04, 1.08] times the requests/s of the first',
  ],
  [
    { code: 'UNSTEADY', halves: NONE, capped: 3, slices: 30 },
    'in 3 of 30 slices not every connection had been answered',
  ],
  [
    { code: 'NOISY_HOST', disturbed: 8, slices: 30, worst: { kind: 'steal', share: 0.12 } },
    '8 of 30 slices disturbed; at worst the host took the cores away for 12.0 % of the time',
  ],
  [
    { code: 'FAILED', launch: 1, when: 'slice', died: true, measured: 3, launches: 4 },
    'a process was gone at slice in launch 2; measured in 3 of 4 launches',
  ],
  [
    { code: 'FAILED', launch: 0, when: 'start', died: false, measured: 0, launches: 1 },
    'it failed at start in launch 1; measured in 0 of 1 launch',
  ],
  [{ code: 'OTHER_RUN' }, 'another run went on beside it'],
  [{ code: 'UNSETTLED', settled: 2, launches: 5 }, 'it had settled in 2 of 5 launches'],
  [{ code: 'NOT_QUIET', busy: 1, slices: 9 }, 'it was still busy after 1 of 9 slices'],
  [
    { code: 'IDLE_USE', share: 0.125 },
    '12.5 % of its CPU time is what it uses when nobody asks for anything',
  ],
  [
    { code: 'TOPOLOGY', evenness: 0.25, launch: 0 },
    'in launch 1 the least busy worker used 25.0 % of the CPU time of the busiest',
  ],
  [
    { code: 'SPREAD', evenness: 0.25, launch: 0 },
    'in launch 1 the least busy process used 25.0 % of the CPU time of the busiest',
  ],
  [{ code: 'IMPOSSIBLE', usedShare: 1.1, cores: 1 }, 'it used 110 % of what 1 core can give'],
  [{ code: 'IMPOSSIBLE', usedShare: 1.1, cores: 0.5 }, 'it used 110 % of what 0.5 cores can give'],
  [
    { code: 'INCONCLUSIVE', launches: 6, halfShare: 0.123, asked: 0.1 },
    'known to ±12.3 % from 6 launches, not to ±10.0 % from 3 or more',
  ],
  [
    { code: 'INCONCLUSIVE', launches: 1, halfShare: null, asked: 0.1 },
    'known to ±? from 1 launch, not to ±10.0 % from 3 or more',
  ],
];

describe('the evidence of', () => {
  test.each(CASES)('%o is told as: %s', (flag, text) => {
    expect(evidenceText(flag)).toBe(text);
  });

  test('every flag is told', () => {
    const told = new Set<string>(CASES.map(([{ code }]) => code));
    expect(told).toEqual(new Set(Object.keys(FLAG_TEXTS)));
  });
});

test('every flag is explained in whole sentences', () => {
  for (const { means, todo } of Object.values(FLAG_TEXTS)) {
    expect(means).toMatch(/^[A-Z].*\.$/s);
    expect(todo).toMatch(/^[A-Z].*\.$/s);
  }
});

test('the text of REGIME states the bias', () => {
  expect(FLAG_TEXTS.REGIME.means).toContain('0.50 µs');
});
