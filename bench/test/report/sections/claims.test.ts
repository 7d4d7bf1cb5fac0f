import { expect, test } from 'vitest';
import { claimSections } from '../../../src/report/sections/claims.ts';
import { summarizeClaims } from '../../../src/summary/claims.ts';
import { judgementSchema } from '../../../src/workload/declaration.ts';
import { makeRecord, makeTarget } from '../../support/make-record.ts';
import { summaryOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';

test('claims that a run left out are named below the others', () => {
  const targets = ['slow', 'fast'].map((name) => makeTarget(name));
  const record = makeRecord({ targets, options: { launches: 3 } }, ({ target }, launch) => {
    return { ok: 1000, cpuUsPerResponse: (target === 'slow' ? 50 : 10) + launch / 1000 };
  });
  const compared = { figure: 'cpu', load: 'published', of: 'slow', over: 'fast' };
  const judgements = judgementSchema.parse({
    comparisons: [
      { id: 'slower', ...compared },
      { id: 'absent', ...compared, of: 'nobody' },
    ],
    claims: [
      ...['slower', 'absent'].map((id) => ({
        label: id,
        claim: `It is ${id}`,
        test: { compare: id, expect: 'more' },
      })),
      { label: 'elsewhere', claim: 'It is elsewhere', test: { needs: 'a Mac' } },
    ],
  });
  const table = summarizeClaims(record, summaryOf(record).conditions, judgements);
  const [section] = claimSections(table);
  const text = section ? shown(section).replaceAll(/ +/g, ' ') : '';
  expect(text).toContain('slower holds 5.00');
  expect(text).toContain('elsewhere not measured it needs a Mac');
  expect(text).not.toMatch(/absent not measured|It is absent/);
  expect(text).toContain('Not measured in this run: absent.');
});
