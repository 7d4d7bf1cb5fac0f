import { describe, expect, test } from 'vitest';
import { type DecompositionPlan, findDecompositions } from '../../src/targets/decompositions.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeTarget } from '../support/make-record.ts';

/** A variant of the name before `<`, with these variables; no variant without. */
function variant(what: string, env: Record<string, string> = {}, words = what): LocalTarget {
  const [name = '', variantOf = null] = what.split(' < ');
  return makeTarget(name, { env, variantOf, variant: variantOf && words, over: variantOf });
}

const [A, B] = [{ A: '1' }, { B: '1' }];

/** Names of what a decomposition holds: each part as `change: in order / alone`. */
function told({ whole, parts }: DecompositionPlan): string[] {
  const name = (step: DecompositionPlan['whole'] | null) => {
    return step ? `${step.target.name} over ${step.over.name}` : 'none';
  };
  return [
    name(whole),
    ...parts.map(({ change, inOrder, alone }) => `${change}: ${name(inOrder)} / ${name(alone)}`),
  ];
}

describe('a decomposition', () => {
  const steps = [
    variant('root'),
    variant('b < root', B, 'B'),
    variant('ab < b', { ...A, ...B }, 'A'),
    variant('only-a < root', A, 'only A'),
  ];

  test('goes from the variant with the most changes to what is none, with what was changed alone', () => {
    const { decompositions, others } = findDecompositions(steps);
    expect(decompositions.map(told)).toEqual([
      ['ab over root', 'A: ab over b / only-a over root', 'B: b over root / b over root'],
    ]);
    expect(decompositions[0]?.isAloneWhole).toBe(true);
    expect(others).toEqual([]);
  });

  test('tells changes by their variables and values, whatever the words', () => {
    const other = steps.map((each) =>
      each.name === 'only-a' ? { ...each, env: { A: '2' } } : each,
    );
    const { decompositions, others } = findDecompositions(other);
    expect(decompositions.map(told)[0]?.[1]).toBe('A: ab over b / none');
    expect(decompositions[0]?.isAloneWhole).toBe(false);
    expect(others.map(({ target }) => target.name)).toEqual(['only-a']);
  });

  test('tells changes of no variable by their words', () => {
    const { decompositions } = findDecompositions([
      variant('root'),
      variant('b < root', {}, 'B'),
      variant('ab < b', {}, 'A'),
      variant('only-a < root', {}, 'A'),
    ]);
    expect(decompositions.map(told)[0]?.[1]).toBe('A: ab over b / only-a over root');
  });

  test('may go all the way at once, where its parts are variants of the same', () => {
    const { decompositions } = findDecompositions([
      variant('root'),
      variant('all < root', { ...A, ...B }),
      variant('a < root', A, 'A'),
      variant('b < root', B, 'B'),
      variant('c < root', { C: '1' }),
    ]);
    expect(decompositions.map(told)).toEqual([
      ['all over root', 'A: none / a over root', 'B: none / b over root'],
    ]);
    expect(decompositions[0]?.isAloneWhole).toBe(true);
  });

  test('takes what a variant leaves out of the environment for a change', () => {
    const { decompositions } = findDecompositions([
      makeTarget('root', { env: A }),
      { ...variant('without < root', {}, 'without A') },
      variant('more < without', B, 'B'),
      variant('only-b < root', { ...A, ...B }, 'only B'),
    ]);
    expect(decompositions.map(told)[0]?.slice(1)).toEqual([
      'B: more over without / only-b over root',
      'without A: without over root / without over root',
    ]);
  });

  test('is one for each that is no variant, and none where one thing was changed', () => {
    const { decompositions, others } = findDecompositions([
      ...steps,
      variant('other'),
      variant('x < other', A),
    ]);
    expect(decompositions).toHaveLength(1);
    expect(others.map(({ target, over }) => `${target.name} over ${over.name}`)).toEqual([
      'x over other',
    ]);
  });

  test('ends where what was left out of a run is missing', () => {
    const { decompositions, others } = findDecompositions(
      steps.filter(({ name }) => name !== 'root'),
    );
    expect(decompositions).toEqual([]);
    expect(others.map(({ target }) => target.name)).toEqual(['ab']);
  });
});
