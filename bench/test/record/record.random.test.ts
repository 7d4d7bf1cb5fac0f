import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { readJson, recordIn } from '../../src/base/json-file.ts';
import { reportOf } from '../../src/commands/report.ts';
import { type RunRecord, recordSchema } from '../../src/record/record.ts';
import { renderCsv } from '../../src/report/csv.ts';
import { renderPlain } from '../../src/report/plain.ts';
import { makeRecord } from '../support/make-record.ts';
import { garbled, mutated, property, unless } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const died = { message: 'it died', logTail: ['bye'], died: true };
const record = makeRecord(
  { failures: [{ server: 'top/single', launch: 1, when: 'slice', ...died }], firstTableNs: 5e9 },
  (_cell, launch, round) => ({
    ok: 100 + launch + round,
    latenciesMs: [1.5, 2],
    system: { stealMs: 1 },
  }),
);
/** Two slices are as good as many where each is read like the others. */
const small: RunRecord = { ...record, slices: record.slices.filter(({ round }) => round === 0) };
const asSaved: unknown = JSON.parse(JSON.stringify(small));

function read(content: unknown): RunRecord | undefined {
  return unless(UserError, () => recordIn('run.json', content, [recordSchema]));
}

/** Where the numbers are, most of which are in slices; both are changed as often as all the rest. */
function mutatedRecord(whole: unknown): fc.Arbitrary<unknown> {
  if (typeof whole !== 'object' || whole === null) return fc.constant(whole);
  const parts = ['plan', 'slices'].map((key) => {
    const part: unknown = Object.entries(whole).find(([each]) => each === key)?.[1];
    return mutated({ [key]: part }).map((changed) => {
      const content = { ...whole, ...(typeof changed === 'object' ? changed : {}) };
      const told = () => fc.stringify(changed);
      return Object.defineProperty(content, fc.toStringMethod, { value: told });
    });
  });
  return fc.oneof(mutated(whole), ...parts);
}

const records = mutatedRecord(asSaved);
property('a changed record is read as what it says, or refused', records, (content) => {
  const found = read(content);
  if (found === undefined) return;
  expect(recordSchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
  for (const { measurement, cell } of found.slices) {
    expect(measurement.windowNs).toBeGreaterThan(0);
    for (const count of Object.values(measurement.window)) expect(count).toBeGreaterThanOrEqual(0);
    expect([...found.plan.cells, ...found.plan.probes].map(({ id }) => id)).toContain(cell);
  }
});

const texts = garbled(fc.constant(JSON.stringify(small)));
property('any text of a record is one, or refused', texts, (text) => {
  const path = folder.write('run.json', text);
  unless(UserError, () => readJson(path, [recordSchema]));
});

const BROKEN = /NaN|Infinity|∞|undefined|\[object/;
property('whatever is read can be reported, without a broken figure', records, (content) => {
  const found = read(content);
  if (found === undefined) return;
  const shown = unless(UserError, () => {
    const report = reportOf(found);
    const rows = report.summary === null ? '' : renderCsv([report.summary]);
    return renderPlain(report.document({ details: true, explain: true })) + rows;
  });
  expect(shown ?? '').not.toMatch(BROKEN);
});
