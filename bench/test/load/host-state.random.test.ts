import fc from 'fast-check';
import { expect } from 'vitest';
import { parseHost } from '../../src/load/host-state.ts';
import { garbled, property, unless } from '../support/random.ts';

const PRINTED =
  'time=1764000000000000000\naddress=::1\nk6=v1.8.1\nnode=v24.1.0\nlacking=0 2\ncores=8\nfiles=20000\nports=32768 60999\nreserved=1-2,3\n' +
  'timeWait=12\nbacklog=4096\nsynchronised=yes\ngovernor=';

property(
  'what a machine printed is a state, or an error',
  garbled(fc.constant(PRINTED)),
  (text) => {
    const state = unless(Error, () => parseHost('box', text, 0, 1));
    if (state === undefined) return;
    const { cores, files, localPorts, timeWait, backlog } = state;
    for (const count of [cores, files, localPorts, timeWait, backlog]) {
      expect(count ?? 0).toBeGreaterThanOrEqual(0);
    }
  },
);
