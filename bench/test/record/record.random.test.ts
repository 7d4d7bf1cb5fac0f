import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { readJson, recordIn } from '../../src/base/files.ts';
import { reportOf } from '../../src/commands/report.ts';
import { recordSchema } from '../../src/record/record.ts';
import { renderCsv } from '../../src/report/csv.ts';
import { renderPlain } from '../../src/report/text.ts';
import { makeRecord } from '../support/make-record.ts';
import { expectSavable, garbled, mutated, property, unless } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const died = { message: 'it died', logTail: ['bye'], died: true };
const record = makeRecord(
  { failures: [{ server: 'top/single', launch: 1, when: 'slice', ...died }], firstTableNs: 5e9 },
  ({ load, target }, launch, round) => {
    // Each slice is read like the others: two of a cell are as good as all, in all cells of one load.
    if (round > 0 || (load !== 'cost' && target !== 'top')) return null;
    return { ok: 100 + launch, latenciesMs: [1.5, 2], system: { stealMs: 1 } };
  },
);

/** Where the numbers are, most of which are in slices; both are changed as often as all the rest. */
const parts = [{ plan: record.plan }, { slices: record.slices }].map((part) => {
  return mutated(part).map((changed) => {
    const told = { value: () => fc.stringify(changed) };
    return Object.defineProperty(Object.assign({ ...record }, changed), fc.toStringMethod, told);
  });
});
const records = fc.oneof(mutated(record), ...parts);

const BROKEN = /NaN|Infinity|∞|undefined|\[object/;
property('a changed record is reported as what it says, or refused', records, (content) => {
  const found = unless(UserError, () => recordIn('run.json', content, [recordSchema]));
  if (found === undefined) return;
  expectSavable(recordSchema, found);
  const ids = new Set([...found.plan.cells, ...found.plan.probes].map(({ id }) => id));
  const broken = found.slices.filter(({ cell, measurement: { window, windowNs } }) => {
    const isSound = windowNs > 0 && Object.values(window).every((count) => count >= 0);
    return !isSound || !ids.has(cell);
  });
  expect(broken).toEqual([]);
  const shown = unless(UserError, () => {
    const report = reportOf(found);
    const rows = report.summary === null ? '' : renderCsv([report.summary]);
    return renderPlain(report.document({ details: true, explain: true })) + rows;
  });
  expect(shown ?? '').not.toMatch(BROKEN);
});

const texts = garbled(fc.constant(JSON.stringify(record)));
property('any text of a record is one, or refused', texts, (text) => {
  const path = folder.write('run.json', text);
  unless(UserError, () => readJson(path, [recordSchema]));
});
