import { describe, expect, test } from 'vitest';
import { bridged, type Climb, findClimbs, floorOf } from '../../src/targets/climbs.ts';
import { LADDER } from '../support/make-ladder-record.ts';

const only = (...names: string[]) => LADDER.filter(({ name }) => names.includes(name));
const namesOf = ({ rungs, branches, swapped }: Climb) => ({
  rungs: rungs.map(({ name }) => name),
  branches: branches.map(({ name }) => name),
  swapped: swapped?.name ?? null,
});

describe('a climb', () => {
  test('is all rungs of a framework from the lowest on, with branches and another validator beside', () => {
    expect(findClimbs(LADDER).map(namesOf)).toEqual([
      {
        rungs: ['express', 'express-json', 'express-body'],
        branches: ['express-error'],
        swapped: null,
      },
      { rungs: ['floor', 'floor-json', 'floor-body'], branches: ['floor-error'], swapped: null },
      {
        rungs: ['nest', 'nest-json', 'nest-body'],
        branches: ['nest-error'],
        swapped: 'nest-body-ajv',
      },
    ]);
  });

  test('is held against what it stands on in the end', () => {
    const climbs = findClimbs(LADDER);
    const floors = climbs.map((climb) => floorOf(climb, climbs)?.rungs[0].name);
    expect(floors).toEqual(['floor', 'floor', 'floor']);
  });

  test('is held against nothing where that is left out, or something between is', () => {
    const climbs = findClimbs(only('nest', 'floor'));
    expect(climbs.map((climb) => floorOf(climb, climbs)?.rungs[0].name)).toEqual([
      'floor',
      undefined,
    ]);
  });
});

describe('bridging', () => {
  test('makes a rung a variant of the nearest one that is there, with all between as its change', () => {
    const ends = bridged(only('express', 'express-body', 'nest-body-ajv'), LADDER);
    expect(
      ends.map(({ name, over, variantOf, variant }) => [name, over, variantOf, variant]),
    ).toEqual([
      ['express', null, null, null],
      ['express-body', 'express', 'express', 'all up to body'],
      ['nest-body-ajv', null, null, null],
    ]);
  });

  test('has a framework stand on the nearest that is there', () => {
    const [floor, nest] = bridged(only('nest', 'floor'), LADDER);
    expect([floor?.over, nest?.over]).toEqual([null, 'floor']);
  });

  test('leaves what is whole as it is, the lowest rungs first', () => {
    const all = bridged(LADDER, LADDER);
    expect(all.map(({ name }) => name)).toEqual([
      ...['express', 'floor', 'nest'],
      ...['express-json', 'floor-json', 'nest-json'],
      ...['express-body', 'express-error', 'floor-body', 'floor-error', 'nest-body', 'nest-error'],
      'nest-body-ajv',
    ]);
    expect(all.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
      LADDER.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  });
});
