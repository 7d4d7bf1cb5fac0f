import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { HEADLINES, ratiosOf } from '../../../src/studies/methods/ratios.ts';
import { methodOptions } from '../../../src/studies/methods/run-options.ts';
import { makeOptions, makeRecord, makeTarget, type Story } from '../../support/make-record.ts';

/** Requests in each slice of 1 s. */
const OK = new Map([
  ['fastify-a', 50_000],
  ['fastify-b', 51_000],
  ['express-a', 30_000],
  ['express-b', 29_400],
]);
const TARGETS = [...OK.keys()].map((name) => makeTarget(name));
const TRUE = { expressToFastify: 0.6, fastifyTwins: 1.02, expressTwins: 0.98 };

function okOf(target: string): number {
  return OK.get(target) ?? 0;
}

function recordOf(
  method: 'classic' | 'sliced',
  story: Story,
  parts: Pick<Partial<RunRecord>, 'failures'> = {},
) {
  const options = methodOptions(makeOptions(), method, 75, 1);
  return makeRecord({ options, targets: TARGETS, ...parts }, story);
}

describe.each(['classic', 'sliced'] as const)('of a %s run', (method) => {
  test('there are ratios of requests/s', () => {
    const record = recordOf(method, ({ target }) => ({ ok: okOf(target) * 2, windowS: 2 }));
    const ratios = ratiosOf(record, 'throughput');
    for (const [name, value] of Object.entries(TRUE)) {
      expect(ratios).toHaveProperty(name, expect.closeTo(value, 6));
    }
  });

  test('there are ratios of CPU per request, however many requests there were', () => {
    const record = recordOf(method, ({ target }, launch) => {
      return { ok: okOf(target) * (1 + launch), cpuUsPerResponse: 1e6 / okOf(target) };
    });
    const ratios = ratiosOf(record, 'cpu');
    for (const [name, value] of Object.entries(TRUE)) {
      expect(ratios).toHaveProperty(name, expect.closeTo(1 / value, 6));
    }
  });
});

test('answers that are not as declared do not count', () => {
  const record = recordOf('classic', ({ target }) => {
    return { ok: okOf(target), wrongStatus: target === 'express-a' ? 5000 : 0 };
  });
  expect(ratiosOf(record, 'throughput')?.expressToFastify).toBeCloseTo(0.6);
});

test('a sliced run compares within launches', () => {
  const record = recordOf('sliced', ({ target }, launch) => {
    // Every launch is a machine of its own speed; one server misses the fastest.
    if (target === 'express-a' && launch === 5) return null;
    return { ok: okOf(target) * (1 + launch) };
  });
  expect(record.plan.launches).toHaveLength(6);
  expect(ratiosOf(record, 'throughput')?.expressToFastify).toBeCloseTo(0.6);
});

test('a run in which one of the servers failed in every launch has no ratios', () => {
  const failures = [0, 1, 2, 3, 4, 5].map((launch) => ({
    ...{ server: 'express-b/single', launch, when: 'slice' as const },
    ...{ message: 'it died', logTail: [], died: true },
  }));
  const story: Story = ({ target }) => ({ ok: okOf(target) });
  for (const headline of HEADLINES) {
    expect(ratiosOf(recordOf('sliced', story), headline)).not.toBeNull();
    expect(ratiosOf(recordOf('sliced', story, { failures }), headline)).toBeNull();
  }
});

test('a run in which one of the servers answered nothing has no ratios', () => {
  const story: Story = ({ target }) => ({ ok: target === 'fastify-b' ? 0 : okOf(target) });
  for (const headline of HEADLINES)
    expect(ratiosOf(recordOf('classic', story), headline)).toBeNull();
});
