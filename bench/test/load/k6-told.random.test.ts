import fc from 'fast-check';
import { expect } from 'vitest';
import { parseTold, tallyOf } from '../../src/load/k6-told.ts';
import { garbled, property, unless } from '../support/random.ts';

const TOLD = [
  '{"dropped":3,"bytes":1234}',
  ...['+ 0 1000', '- 0 2500000 0 ok', '+ 1 5000100', '+ 2 9999999', '- 1 12000000 1 timedOut'],
].join('\n');
const SCHEDULE = { periodNs: 5e6, rampNs: 4e6, durationNs: 2e7 };

property(
  'what k6 printed is requests, or an error that shows it',
  garbled(fc.constant(TOLD)),
  (text) => {
    const told = unless(Error, () => parseTold(text));
    if (told === undefined) return;
    const { all, window } = tallyOf(told.requests, told.dropped === 0, SCHEDULE);
    expect(all.counts.sent).toBe(told.requests.length);
    for (const { counts, inFlight } of [all, window]) {
      const { sent, ok, wrongStatus, wrongBody, timedOut, disconnected } = counts;
      expect(ok + wrongStatus + wrongBody + timedOut + disconnected + inFlight).toBe(sent);
    }
  },
);
