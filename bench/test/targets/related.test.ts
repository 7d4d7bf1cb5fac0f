import { expect, test } from 'vitest';
import { related } from '../../src/targets/related.ts';
import { userError } from '../support/caught.ts';

interface Said {
  label?: string;
  over?: string;
  variantOf?: string;
  variant?: string;
}

/** A target that says this of others. */
function target(name: string, said: Said = {}) {
  const { label = null, over = null, variantOf = null, variant = null } = said;
  return { name, directory: `/packages/${name}`, label, over, variantOf, variant };
}

test('a variant has its label from the other one, and stands over it', () => {
  const targets = related([
    target('gin', { label: 'Gin', over: 'floor' }),
    target('gin-log', { variantOf: 'gin', variant: 'logger' }),
    target('gin-log-json', { variantOf: 'gin-log', variant: 'JSON' }),
    target('floor', { label: 'floor' }),
  ]);
  expect(targets.map(({ label, over }) => [label, over])).toEqual([
    ['Gin', 'floor'],
    ['Gin (logger)', 'gin'],
    ['Gin (logger, JSON)', 'gin-log'],
    ['floor', null],
  ]);
});

test('what a variant says itself is so', () => {
  const own = { label: 'Noisy', over: 'floor', variantOf: 'gin', variant: 'logger' };
  const [, variant] = related([
    target('gin', { label: 'Gin' }),
    target('noisy', own),
    target('floor', { label: 'floor' }),
  ]);
  expect(variant).toMatchObject({ label: 'Noisy', over: 'floor' });
});

test.each([
  ['nobody', '"nobody" is not another target'],
  ['bad', '"bad" is a variant of bad itself'],
  ['worse', '"worse" is a variant of bad itself'],
])('a variant of %s is refused', (variantOf, problem) => {
  const bad = target('bad', { variantOf, variant: 'x' });
  const worse = target('worse', { variantOf: 'bad', variant: 'y' });
  const error = userError(() => related([bad, worse]));
  expect(error.message).toBe(`/packages/bad/package.json: bench.variantOf: ${problem}`);
});
