import { expect, test } from 'vitest';
import { claimSections } from '../../../src/report/sections/claims.ts';
import { summarizeClaims } from '../../../src/summary/claims.ts';
import { judgementSchema } from '../../../src/workload/declaration.ts';
import { makeRecord, makeTarget } from '../../support/make-record.ts';
import { summaryOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';

test('there is no table of claims if the run judges none', () => {
  const targets = ['slow', 'fast'].map((name) => makeTarget(name));
  const record = makeRecord({ targets }, () => ({ ok: 1000 }));
  const compared = { figure: 'cpu', load: 'published', over: 'fast' };
  const judgements = judgementSchema.parse({
    comparisons: [
      { id: 'measured', ...compared, of: 'slow' },
      { id: 'absent', ...compared, of: 'nobody' },
    ],
    claims: [
      { label: 'absent', claim: 'more', test: { compare: 'absent', expect: 'more' } },
      { label: 'elsewhere', claim: 'less', test: { needs: 'a Mac' } },
    ],
  });
  const table = summarizeClaims(record, summaryOf(record).conditions, judgements);
  const text = claimSections(table)
    .map((section) => shown(section))
    .join('');
  expect(text).not.toContain('claim');
  expect(text).toContain('Not measured in this run: absent; elsewhere.');
});
