import fc from 'fast-check';
import { expect } from 'vitest';
import { byRequest } from '../../src/targets/by-request.ts';
import { textExchange } from '../../src/targets/exchange.ts';
import { makeTarget } from '../support/make-record.ts';
import { property } from '../support/random.ts';

const path = fc.stringMatching(/^\/[a-b/?-]{0,3}$/);
const requests = fc.record({ method: fc.constantFrom('GET' as const, 'POST' as const), path });

property(
  'a target for each request has a name of its own',
  fc.array(requests, { minLength: 1, maxLength: 6 }),
  (asked) => {
    const exchanges = asked.map((each) =>
      textExchange(each, { status: 200, headers: {}, body: '' }),
    );
    const targets = byRequest([makeTarget('app', { requests: exchanges })]);
    expect(targets.flatMap((target) => target.requests)).toHaveLength(asked.length);
    const names = targets.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^app(-[A-Za-z0-9-]*)?$/);
  },
);
