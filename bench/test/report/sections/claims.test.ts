import { expect, test } from 'vitest';
import { claimSections } from '../../../src/report/sections/claims.ts';
import { summarizeClaims } from '../../../src/summary/claims.ts';
import { judgementSchema } from '../../../src/workload/declaration.ts';
import { makeRecord, makeTarget } from '../../support/make-record.ts';
import { summaryOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';

/** What a run that compares two servers says of these claims. */
function textWith(...names: string[]): string {
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
    claims: names.map((label) => {
      const compare = { compare: label, expect: 'more' };
      const asked = label === 'elsewhere' ? { needs: 'a Mac' } : compare;
      return { label, claim: `It is ${label}`, test: asked };
    }),
  });
  const table = summarizeClaims(record, summaryOf(record).conditions, judgements);
  const [section] = claimSections(table);
  return section ? shown(section).replaceAll(/ +/g, ' ') : '';
}

test('claims that a run left out are named below the others', () => {
  const text = textWith('slower', 'absent', 'elsewhere');
  expect(text).toContain('slower holds 5.00');
  expect(text).toContain('elsewhere not measured it needs a Mac');
  expect(text).not.toMatch(/absent not measured|It is absent/);
  expect(text).toContain('Not measured in this run: absent.');
});

test('there is no table of claims if the run judges none', () => {
  const text = textWith('absent', 'elsewhere');
  expect(text).not.toContain('claim');
  expect(text).toContain('Not measured in this run: absent; elsewhere.');
});
