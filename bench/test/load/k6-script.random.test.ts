import fc from 'fast-check';
import { expect } from 'vitest';
import { countedBy, parseOutput, planOf } from '../../src/load/k6-script.ts';
import { garbled, property, unless } from '../support/random.ts';
import { expectToAddUp, openOrder } from './servers.ts';

const PRINTED = [
  '{"dropped":3,"bytes":1234}',
  ...['+ 0 1000', '- 0 2500000 0 ok', '+ 1 5000100', '+ 2 9999999', '- 1 12000000 1 timedOut'],
].join('\n');
const SCHEDULE = { periodNs: 5e6, rampNs: 4e6, durationNs: 2e7 };
const PLAN = { ...planOf(openOrder('http://127.0.0.1:1'), [0]), ...SCHEDULE };

property(
  'what k6 printed is requests, or an error that shows it',
  garbled(fc.constant(PRINTED)),
  (text) => {
    const output = unless(Error, () => parseOutput(text));
    if (output === undefined) return;
    const { ledger } = countedBy([output], PLAN);
    expect(ledger.sent).toBe(output.requests.length);
    expectToAddUp(ledger);
  },
);
