import { expect, test } from 'vitest';
import { decompositionSentences } from '../../../src/report/sections/decomposition-text.ts';
import { summarizeDecompositions } from '../../../src/summary/decomposition.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { makeBidderRecord } from '../../support/make-bidder-record.ts';

test('a change that has no verdict is nothing only where its interval holds 0', () => {
  const record = makeBidderRecord();
  const servers = [...new Set(record.plan.cells.map(({ server }) => server))];
  // Nothing has a verdict where no server had settled.
  record.warmups = servers.flatMap((server) =>
    [0, 1, 2].map((launch) => ({
      server,
      launch,
      batches: [],
      ns: 1e9,
      outcome: 'capped' as const,
    })),
  );
  const quiet = summarize(record).conditions.find(({ load }) => load.id === 'quiet');
  const table = quiet ? summarizeDecompositions(record, quiet) : null;
  const gin = table?.decompositions.find(({ root }) => root.name === 'gin');
  const text = gin ? decompositionSentences(gin, table?.roles ?? []).join(' ') : '';
  expect(text).toMatch(/"random key" \([^)]*\) can't be told from nothing\./);
  expect(text).toMatch(/"repeated" .*"JSON" .*"logger" \([^)]*\) are off 0, and have no verdict\./);
});
