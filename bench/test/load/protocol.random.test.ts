import fc from 'fast-check';
import { expect } from 'vitest';
import { commandSchema, replySchema } from '../../src/load/protocol.ts';
import { makeMeasurement } from '../support/make-record.ts';
import { mutated, property } from '../support/random.ts';

const measured = { kind: 'measured', measurement: makeMeasurement({ ok: 9, latenciesMs: [1] }) };
const outcomes = [measured, { kind: 'did not drain' }, { kind: 'refused' }];
const MESSAGES = {
  ready: { schema: replySchema, right: { kind: 'ready' } },
  measured: { schema: replySchema, right: measured },
  interleaved: { schema: replySchema, right: { kind: 'interleaved', outcomes } },
  batch: {
    schema: replySchema,
    right: { kind: 'batch', batch: { answers: 9, ns: 1e8, cpuNs: 1e7, bytes: 1e6 } },
  },
  command: { schema: commandSchema, right: { kind: 'open', atNs: 7 } },
};

for (const [name, { schema, right }] of Object.entries(MESSAGES)) {
  property(
    `any ${name} is what it says, or none`,
    fc.oneof(fc.constant(right), mutated(right)),
    (message) => {
      const read = schema.safeParse(message);
      if (!read.success) return;
      expect(schema.parse(JSON.parse(JSON.stringify(read.data)))).toEqual(read.data);
      expect(JSON.stringify(read.data)).not.toMatch(/"(ok|sent|answers|windowNs|late|planned)":-/);
    },
  );
}
