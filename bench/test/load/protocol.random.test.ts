import fc from 'fast-check';
import { expect } from 'vitest';
import {
  batchOutcomeSchema,
  commandSchema,
  interleavedSchema,
  outcomeSchema,
  preparedSchema,
} from '../../src/load/protocol.ts';
import { makeMeasurement } from '../support/make-record.ts';
import { mutated, property } from '../support/random.ts';

const measured = { kind: 'measured', measurement: makeMeasurement({ ok: 9, latenciesMs: [1] }) };
const REPLIES = {
  prepared: { schema: preparedSchema, right: { kind: 'ready' } },
  outcome: { schema: outcomeSchema, right: measured },
  interleaved: {
    schema: interleavedSchema,
    right: [measured, { kind: 'did not drain' }, { kind: 'refused' }],
  },
  batch: {
    schema: batchOutcomeSchema,
    right: { kind: 'batch', batch: { answers: 9, ns: 1e8, cpuNs: 1e7, bytes: 1e6 } },
  },
  command: { schema: commandSchema, right: { kind: 'open', atNs: 7 } },
};

for (const [name, { schema, right }] of Object.entries(REPLIES)) {
  property(
    `any ${name} is what it says, or none`,
    fc.oneof(fc.constant(right), mutated(right)),
    (reply) => {
      const read = schema.safeParse(reply);
      if (!read.success) return;
      expect(schema.parse(JSON.parse(JSON.stringify(read.data)))).toEqual(read.data);
      expect(JSON.stringify(read.data)).not.toMatch(/"(ok|sent|answers|windowNs|late|planned)":-/);
    },
  );
}
