import { describe, expect, test } from 'vitest';
import { bidderSentences } from '../../../src/report/sections/bidder-text.ts';
import { summarizeLadders } from '../../../src/summary/ladder.ts';
import { summarizeSteps } from '../../../src/summary/published-steps.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { makeBidderRecord, USUAL } from '../../support/make-bidder-record.ts';

type Parts = Parameters<typeof makeBidderRecord>[0];

function textOf(parts: Parts = {}): string {
  const record = makeBidderRecord(parts);
  const { conditions } = summarize(record);
  const quiet = conditions.find(({ load }) => load.id === 'quiet');
  const steps = summarizeSteps(record, conditions, quiet);
  if (steps === null) throw new Error('nothing was measured');
  return bidderSentences(steps, quiet ? summarizeLadders(record, quiet) : null).join(' ');
}

const mains = (nest: number, gin: number) => ({
  ...USUAL,
  mains: { ...USUAL.mains, nest, gin },
  changes: {},
});
/** Of each launch another, so that nothing can be told. */
const wild: NonNullable<Parts>['noise'] = (id, launch) =>
  id.startsWith('gin') ? 3 ** (launch - 1) : 1;

describe('that Gin took more CPU at the first step', () => {
  test('carries over where it does', () => {
    expect(textOf({ costs: mains(300, 400) })).toContain(
      'At 500 requests/s, at step 1, Gin took more CPU for a request than Nest (1.33 [1.33, 1.33] times): that it took more carries over.',
    );
  });

  test.each([
    { nest: 400, gin: 200, found: 'Gin took less CPU for a request than Nest' },
    { nest: 400, gin: 400, found: 'Gin took as much CPU for a request as Nest' },
  ])('does not where $found', ({ nest, gin, found }) => {
    const text = textOf({ costs: mains(nest, gin) });
    expect(text).toContain(`at step 1, ${found}`);
    expect(text).toContain('that it took more does not carry over.');
  });

  test('is left open where the two can not be told apart', () => {
    const text = textOf({ noise: wild });
    expect(text).toContain("at step 1, Gin and Nest can't be told apart (");
    expect(text).toContain('that it took more can neither be confirmed nor refuted.');
  });
});

describe('that both took about the same at the last step', () => {
  test('carries over where they are the same', () => {
    expect(textOf({ costs: mains(400, 400) })).toContain(
      'that it took about the same carries over.',
    );
  });

  test.each([[400, 200] as const, [200, 400] as const])(
    'does not with %d and %d µs',
    (nest, gin) => {
      expect(textOf({ costs: mains(nest, gin) })).toContain(
        'that it took about the same does not carry over.',
      );
    },
  );

  test('is read of single processes where nothing else was measured', () => {
    const text = textOf({ costs: mains(400, 400), options: { topologies: ['single'] } });
    expect(text).toContain('At 300 requests/s, at step 3, Gin took as much CPU');
  });
});

describe('that they came closer at the second step', () => {
  const closer = (json: number, random: number) => ({
    ...mains(400, 400),
    changes: { 'gin/json': json, 'gin/random': random },
  });

  test.each([
    { json: 300, random: 20, ending: 'carries over.' },
    { json: -190, random: 200, ending: 'does not carry over.' },
    { json: 0, random: 20, ending: 'is not known.' },
  ])('$ending', ({ json, random, ending }) => {
    const noise = (id: string, launch: number) => (id.startsWith('gin') ? 1 + launch / 500 : 1);
    const text = textOf({ costs: closer(json, random), noise });
    expect(/That they came closer .*?|Whether they came closer/.test(text)).toBe(true);
    expect(text).toMatch(
      new RegExp(`they came closer [^.]*(\\.\\d[^.]*)*, ${ending.replace('.', '\\.')}`),
    );
  });
});

describe('memory', () => {
  test.each([
    { nest: 300, gin: 30, says: 'In memory Go is the better here too: ' },
    { nest: 30, gin: 60, says: 'That Go is better in memory does not carry over: ' },
    { nest: 30, gin: 30, says: 'That Go is better in memory does not carry over: ' },
  ])('of $nest and $gin MB', ({ nest, gin, says }) => {
    const text = textOf({ memory: { nest, gin } });
    expect(text).toContain(`${says}at step 1 Nest's memory under load was`);
    expect(text).toContain('(published: 15.0 times).');
  });

  test('of one launch is not known yet', () => {
    const options = { launches: 1, durationS: 12 };
    expect(textOf({ options })).toContain('Whether Go is better in memory is not known yet: ');
  });
});

test('latency is told as it is', () => {
  expect(textOf({ costs: mains(400, 200) })).toContain(
    'Latency was published as nearly the same; here the p99 of Nest and of Gin was 0.80 and 0.40 ms at step 1',
  );
});

describe('what made it so', () => {
  test('is each change with what it costs either of them, those that were shown to first', () => {
    const text = textOf({ costs: { ...USUAL, redisChanges: {} } });
    expect(text).toContain(
      '"JSON" costs Gin +450.00 ±0.00 µs and Nest +150.00 ±0.00 µs; "logger" costs Gin',
    );
    expect(text.indexOf('"random key"')).toBeGreaterThan(text.indexOf('"logger"'));
  });

  test('may be nothing where its interval holds nothing', () => {
    const noise = (id: string, launch: number) => {
      return id.startsWith('gin-json/') ? 3 ** (launch - 1) : 1;
    };
    expect(textOf({ noise })).toMatch(
      /"JSON" costs Gin [+-][\d,.]+ ±[\d,.]+ µs, which may be nothing/,
    );
  });

  test('is not told without variants', () => {
    expect(textOf({ without: (id) => /random|logged|json|only|one/.test(id) })).not.toContain(
      'What made',
    );
  });
});
