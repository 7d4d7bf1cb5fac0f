import { expect, test } from 'vitest';
import type { Verdict } from '../../../src/math/verdicts.ts';
import { endpointSentences } from '../../../src/report/sections/layers-text.ts';
import type { Endpoint } from '../../../src/summary/layers.ts';
import type { RoleCost } from '../../../src/summary/role-costs.ts';
import { interval, makeTarget } from '../../support/make-record.ts';

const nest = makeTarget('nest', { label: 'Nest' });

function cost(verdict: Verdict, us: number): RoleCost {
  const difference = interval(us * 1000, us * 1000 - 1000, us * 1000 + 1000);
  return { role: 'server', comparison: { ratio: interval(1, 1, 1), difference, verdict } };
}

const SWAP = { variant: 'ajv by hand', own: 'own validator' };

function sentence(own: RoleCost | null, swapped: RoleCost | null = null): string | undefined {
  const endpoint: Endpoint = {
    ...{ framework: nest, top: nest, cpuNs: interval(180_000, 178_000, 182_000) },
    ...{ own, swapped, services: [], flags: [] },
  };
  return endpointSentences([endpoint], SWAP)[0];
}

const OF = 'Of the 180.0 ±2.0 µs that this endpoint costs on Nest, ';

test('an endpoint is so much the framework, and so much its own validator', () => {
  expect(sentence(cost('slower', 8))).toBe(`${OF}8.0 ±1.0 µs are the framework.`);
  expect(sentence(cost('slower', 8), cost('slower', 12))).toBe(
    `${OF}8.0 ±1.0 µs are the framework; another 12.0 ±1.0 µs are its own validator in place of ajv by hand.`,
  );
});

test('what is no difference, less, or not known is not said to be one', () => {
  const [none, less, unknown] = [cost('same', 1), cost('faster', -9), cost("can't tell", 3)];
  expect(sentence(none, less)).toBe(
    `${OF}as good as none is the framework (+1.0 ±1.0 µs); its own validator saves CPU time beside ajv by hand (-9.0 ±1.0 µs).`,
  );
  expect(sentence(less, none)).toBe(
    `${OF}none is the framework, which saves some beside the floor (-9.0 ±1.0 µs); its own validator costs what ajv by hand does (+1.0 ±1.0 µs).`,
  );
  expect(sentence(unknown, unknown)).toBe(
    `${OF}it can't be told yet whether any are the framework (+3.0 ±1.0 µs); whether its own validator costs more than ajv by hand can't be told yet (+3.0 ±1.0 µs).`,
  );
});

test('nothing is said of the floor itself', () => {
  expect(sentence(null)).toBeUndefined();
});
