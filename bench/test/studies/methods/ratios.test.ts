import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../src/record/record.ts';
import { HEADLINES, ratiosOf } from '../../../src/studies/methods/record.ts';
import { METHODS, type Method, methodOptions } from '../../../src/studies/methods/run-options.ts';
import { failuresOf } from '../../support/failures.ts';
import { makeOptions, makeRecord, makeTarget, type Story } from '../../support/make-record.ts';

/** Requests in each slice of 1 s. */
const OK: Record<string, number> = {
  ...{ 'fastify-a': 50_000, 'fastify-b': 51_000, 'express-a': 30_000, 'express-b': 29_400 },
};
const okOf = (target: string) => OK[target] ?? 0;
const TARGETS = Object.keys(OK).map((name) => makeTarget(name));
/** The ratios, or their inverse. */
const expected = (power: 1 | -1) => {
  const [express, fastify, twins] = [0.6, 1.02, 0.98].map((each) =>
    expect.closeTo(each ** power, 6),
  );
  return { expressToFastify: express, fastifyTwins: fastify, expressTwins: twins };
};

function recordOf(method: Method, story: Story, failures: Failure[] = []) {
  const options = methodOptions(makeOptions(), method, 75, 1);
  return makeRecord({ options, targets: TARGETS, failures }, story);
}

describe.each(METHODS)('a %s run', (method) => {
  test('has ratios of requests/s', () => {
    const record = recordOf(method, ({ target }) => ({ ok: okOf(target) * 2, windowS: 2 }));
    expect(ratiosOf(record, 'throughput')).toEqual(expected(1));
  });

  test('has ratios of CPU per request, however many requests there were', () => {
    const record = recordOf(method, ({ target }, launch) => {
      return { ok: okOf(target) * (1 + launch), cpuUsPerResponse: 1e6 / okOf(target) };
    });
    expect(ratiosOf(record, 'cpu')).toEqual(expected(-1));
  });
});

test.each(HEADLINES)('a run without one of the servers has no ratios of %s', (headline) => {
  const story: Story = ({ target }) => ({ ok: okOf(target) });
  expect(ratiosOf(recordOf('sliced', story), headline)).not.toBeNull();
  const failed = failuresOf('express-b/single', [0, 1, 2, 3, 4, 5]);
  expect(ratiosOf(recordOf('sliced', story, failed), headline)).toBeNull();
  const silent: Story = ({ target }) => ({ ok: target === 'fastify-b' ? 0 : okOf(target) });
  expect(ratiosOf(recordOf('classic', silent), headline)).toBeNull();
});
