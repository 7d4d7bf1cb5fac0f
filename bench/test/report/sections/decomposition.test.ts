import { expect, test } from 'vitest';
import type { Section } from '../../../src/report/document.ts';
import { decompositionSections } from '../../../src/report/sections/decomposition.ts';
import { summarizeDecompositions } from '../../../src/summary/decomposition.ts';
import { makeBidderRecord } from '../../support/make-bidder-record.ts';
import { conditionUnder } from '../../support/summaries.ts';
import { rowsOf, shown } from '../look.ts';

/** What Gin's changes cost at the quiet rate. */
function ginOf(record: ReturnType<typeof makeBidderRecord>): Section {
  const table = summarizeDecompositions(record, conditionUnder(record, 'quiet'));
  const [gin] = (table ? decompositionSections(table) : []).filter((each) => {
    return shown(each).startsWith('What each change adds to Gin, ');
  });
  if (gin === undefined) throw new Error('there is no such decomposition');
  return gin;
}

test('no change has a verdict or a share where no server had settled', () => {
  const record = makeBidderRecord();
  const servers = [...new Set(record.plan.cells.map(({ server }) => server))];
  record.warmups = servers.flatMap((server) => {
    return [0, 1, 2].map((launch) => {
      return { server, launch, batches: [], ns: 1e9, outcome: 'capped' as const };
    });
  });
  const rows = rowsOf(ginOf(record)).filter((row) => row[4] !== '–');
  expect(rows.map((row) => row[4])).toEqual(rows.map(() => "can't tell"));
  expect(rows.map((row) => row.at(-2))).toEqual(rows.map(() => '–'));
});
