import { describe, expect, test } from 'vitest';
import { type Estimate, pointOf } from '../../src/math/statistics.ts';
import { type LayerTable, summarizeLayers } from '../../src/summary/layers.ts';
import { summarize } from '../../src/summary/summary.ts';
import {
  COSTS,
  DATABASE,
  LADDER,
  makeLadderRecord,
  VALIDATOR,
} from '../support/make-ladder-record.ts';

const SWAP = { variant: 'ajv by hand', own: 'own validator' };

function tableOf(parts: Parameters<typeof makeLadderRecord>[0] = {}): LayerTable | null {
  const record = makeLadderRecord(parts);
  const [condition] = summarize(record).conditions;
  if (condition === undefined) throw new Error('there is a condition');
  return summarizeLayers(record, condition, { lowest: 'text', swap: SWAP });
}

/** In µs, to a tenth. */
const micro = (estimate: Estimate | undefined) => {
  return estimate === undefined ? null : Math.round((pointOf(estimate) ?? Number.NaN) / 100) / 10;
};

/** What a table says of each layer: a whole request of the lowest, what the others cost more. */
function told(table: LayerTable | null) {
  return table?.rows.map(({ variant, place, cells }) => [
    variant,
    place,
    ...cells.map((cell) =>
      micro(place === 'lowest' ? cell?.cpuNs : cell?.more?.comparison.difference),
    ),
  ]);
}

describe('the layers', () => {
  test('cost what each adds to the one below it, framework by framework', () => {
    const { express = null, floor = null, nest = null } = COSTS;
    const of = (layer: 'text' | 'json' | 'body' | 'error') => {
      return [floor, express, nest].map((costs) => costs?.[layer]);
    };
    expect(tableOf()?.frameworks.map(({ name }) => name)).toEqual(['floor', 'express', 'nest']);
    expect(told(tableOf())).toEqual([
      [null, 'lowest', ...of('text')],
      ['json', 'in the stack', ...of('json')],
      ['body', 'in the stack', ...of('body')],
      ['error', 'branch', ...of('error')],
    ]);
  });

  test('have a gap where a framework has none, or it was not measured', () => {
    const targets = LADDER.filter(({ name }) => name !== 'express-error');
    const table = tableOf({ targets, without: (id) => id.startsWith('nest-json/') });
    expect(told(table)?.map(([variant, , ...cells]) => [variant, ...cells])).toEqual([
      [null, 10, 30, 40],
      ['json', 2, 5, null],
      ['body', 28, 45, null],
      ['error', 20, null, null],
    ]);
  });

  test('are none where nothing was measured', () => {
    expect(tableOf({ without: () => true })).toBeNull();
  });
});

describe('the whole endpoint', () => {
  const endpointsOf = (parts: Parameters<typeof makeLadderRecord>[0] = {}) => {
    return tableOf(parts)?.endpoints.map(({ framework, cpuNs, own, swapped, services }) => ({
      ...{ name: framework.name, cpu: micro(cpuNs), own: micro(own?.comparison.difference) },
      swapped: micro(swapped?.comparison.difference),
      services: services.map(({ name, cpuNs: used }) => [name, micro(used)]),
    }));
  };
  const services = [['mariadb', DATABASE]];

  test('is the framework as far as it costs more than the floor with the same libraries', () => {
    expect(endpointsOf()).toEqual([
      { name: 'floor', cpu: 40, own: null, swapped: null, services },
      { name: 'express', cpu: 80, own: 40, swapped: null, services },
      { name: 'nest', cpu: 140, own: 60, swapped: VALIDATOR, services },
    ]);
  });

  test('is the framework with its own validator where the other one was left out', () => {
    const targets = LADDER.filter(({ name }) => name !== 'nest-body-ajv');
    expect(endpointsOf({ targets })?.[2]).toMatchObject({ own: 100, swapped: null });
  });

  test('is nothing of the framework where there is no floor, or it stops at another layer', () => {
    const withoutFloor = LADDER.filter(({ name }) => !name.startsWith('floor'));
    expect(endpointsOf({ targets: withoutFloor })?.map(({ own }) => own)).toEqual([null, null]);
    const lowFloor = LADDER.filter(({ name }) => name !== 'floor-body');
    expect(endpointsOf({ targets: lowFloor })?.map(({ own }) => own)).toEqual([null, null, null]);
  });
});
