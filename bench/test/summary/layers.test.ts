import { describe, expect, test } from 'vitest';
import { type LayerTable, summarizeLayers } from '../../src/summary/layers.ts';
import { micro } from '../support/estimates.ts';
import {
  COSTS,
  DATABASE,
  LADDER,
  makeLadderRecord,
  VALIDATOR,
} from '../support/make-ladder-record.ts';
import { conditionUnder } from '../support/summaries.ts';

const SWAP = { variant: 'ajv by hand', own: 'own validator' };

function tableOf(parts: Parameters<typeof makeLadderRecord>[0] = {}): LayerTable | null {
  const record = makeLadderRecord(parts);
  const layers = { lowest: 'text', swap: SWAP };
  return summarizeLayers(record, conditionUnder(record, 'cost'), layers);
}

const USUAL = tableOf();

/** Of each layer in µs: a whole request of the lowest, what the others cost more. */
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
    expect(USUAL?.frameworks.map(({ name }) => name)).toEqual(['floor', 'express', 'nest']);
    expect(told(USUAL)).toEqual([
      [null, 'lowest', ...of('text')],
      ['json', 'in the stack', ...of('json')],
      ['body', 'in the stack', ...of('body')],
      ['error', 'branch', ...of('error')],
    ]);
  });

  test('have a gap if a framework has none, or it was not measured', () => {
    const targets = LADDER.filter(({ name }) => name !== 'express-error');
    const table = tableOf({ targets, without: (id) => id.startsWith('nest-json/') });
    expect(told(table)?.map(([variant, , ...cells]) => [variant, ...cells])).toEqual([
      [null, 10, 30, 40],
      ['json', 2, 5, null],
      ['body', 28, 45, null],
      ['error', 20, null, null],
    ]);
  });

  test('are none if nothing was measured', () => {
    expect(tableOf({ without: () => true })).toBeNull();
  });
});

describe('the whole endpoint', () => {
  const endpointsOf = (table: LayerTable | null) => {
    return table?.endpoints.map(({ framework, cpuNs, own, swapped, services }) => ({
      ...{ name: framework.name, cpu: micro(cpuNs), own: micro(own?.comparison.difference) },
      swapped: micro(swapped?.comparison.difference),
      services: services.map(({ name, cpuNs: used }) => `${name} ${micro(used)}`),
    }));
  };
  const ownWithout = (isOut: (name: string) => boolean) => {
    const targets = LADDER.filter(({ name }) => !isOut(name));
    return endpointsOf(tableOf({ targets }))?.map(({ own }) => own);
  };

  test('is the framework as far as it costs more than the floor with the same libraries', () => {
    const services = [`mariadb ${DATABASE}`];
    expect(endpointsOf(USUAL)).toEqual([
      { name: 'floor', cpu: 40, own: null, swapped: null, services },
      { name: 'express', cpu: 80, own: 40, swapped: null, services },
      { name: 'nest', cpu: 140, own: 60, swapped: VALIDATOR, services },
    ]);
  });

  test('is the framework with its own validator if the other one was left out', () => {
    const targets = LADDER.filter(({ name }) => name !== 'nest-body-ajv');
    expect(endpointsOf(tableOf({ targets }))?.[2]).toMatchObject({ own: 100, swapped: null });
  });

  test('is not known of the framework without a floor, or if that stops at another layer', () => {
    expect(ownWithout((name) => name.startsWith('floor'))).toEqual([null, null]);
    expect(ownWithout((name) => name === 'floor-body')).toEqual([null, null, null]);
  });
});
