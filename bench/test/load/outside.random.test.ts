/** Whatever comes from outside, it is read or refused. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { parseHost } from '../../src/load/host-state.ts';
import { countedBy, parseOutput, planOf } from '../../src/load/k6-script.ts';
import { commandSchema, replySchema } from '../../src/load/protocol.ts';
import { makeMeasurement } from '../support/make-record.ts';
import { expectSavable, garbled, mutated, property, unless } from '../support/random.ts';
import { expectToAddUp } from './expectations.ts';
import { openOrder } from './orders.ts';

const linesOf = (...lines: string[]) => fc.constant(lines.join('\n'));

const HOST = linesOf(
  ...['time=1764000000000000000', 'address=::1', 'k6=v1.8.1', 'node=v24.1.0', 'lacking=0 2'],
  ...['cores=8', 'files=20000', 'ports=32768 60999', 'reserved=1-2,3', 'timeWait=12'],
  ...['backlog=4096', 'synchronised=yes', 'governor='],
);

property('what a machine prints is a state, or an error', garbled(HOST), (text) => {
  const state = unless(Error, () => parseHost('box', text, 0, 1));
  if (state === undefined) return;
  const { cores, files, localPorts, timeWait, backlog } = state;
  for (const count of [cores, files, localPorts, timeWait, backlog]) {
    expect(count ?? 0).toBeGreaterThanOrEqual(0);
  }
});

const OUTPUT = linesOf(
  '{"dropped":3,"bytes":1234}',
  ...['+ 0 1000', '- 0 2500000 0 ok', '+ 1 5000100', '+ 2 9999999', '- 1 12000000 1 timedOut'],
);
const SCHEDULE = { periodNs: 5e6, rampNs: 4e6, durationNs: 2e7 };
const PLAN = { ...planOf(openOrder('http://127.0.0.1:1'), [0]), ...SCHEDULE };

property('what k6 prints is requests, or an error that shows it', garbled(OUTPUT), (text) => {
  const output = unless(Error, () => parseOutput(text));
  if (output === undefined) return;
  const { ledger } = countedBy([output], PLAN);
  expect(ledger.sent).toBe(output.requests.length);
  expectToAddUp(ledger);
});

const measured = { kind: 'measured', measurement: makeMeasurement({ ok: 9, latenciesMs: [1] }) };
const outcomes = [measured, { kind: 'did not drain' }, { kind: 'refused' }];
const batch = { answers: 9, ns: 1e8, cpuNs: 1e7, bytes: 1e6 };
const MESSAGES = {
  ready: { schema: replySchema, right: { kind: 'ready' } },
  measured: { schema: replySchema, right: measured },
  interleaved: { schema: replySchema, right: { kind: 'interleaved', outcomes } },
  batch: { schema: replySchema, right: { kind: 'batch', batch } },
  command: { schema: commandSchema, right: { kind: 'open', atNs: 7 } },
};

for (const [name, { schema, right }] of Object.entries(MESSAGES)) {
  const messages = fc.oneof(fc.constant(right), mutated(right));
  property(`any ${name} is what it says, or none`, messages, (message) => {
    const read = schema.safeParse(message);
    if (!read.success) return;
    expectSavable<unknown>(schema, read.data);
    expect(JSON.stringify(read.data)).not.toMatch(/"(ok|sent|answers|windowNs|late|planned)":-/);
  });
}
