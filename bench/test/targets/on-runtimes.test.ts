import { describe, expect, test } from 'vitest';
import { onRuntimes } from '../../src/targets/on-runtimes.ts';
import { makeTarget, STACK } from '../support/make-record.ts';
import { BUN, OLD } from '../support/make-runtimes.ts';

describe('targets on runtimes', () => {
  test('are there once for each, under names of their own', () => {
    const all = onRuntimes([makeTarget('app', { label: 'App' })], [OLD, BUN]);
    expect(all.map(({ name, label, runtime }) => ({ name, label, runtime }))).toEqual([
      { name: 'app@node-22.1.0', label: 'App on Node 22.1.0', runtime: OLD },
      { name: 'app@bun-1.4.5', label: 'App on Bun 1.4.5', runtime: BUN },
    ]);
  });

  test('are built on the target of the same runtime, and variants of it', () => {
    const variant = makeTarget('changed', { over: 'middle', variantOf: 'top' });
    const all = onRuntimes([...STACK, variant], [OLD, BUN]);
    expect(all.map(({ name, over, variantOf }) => [name, over, variantOf])).toEqual([
      ['floor@node-22.1.0', null, null],
      ['floor@bun-1.4.5', null, null],
      ['middle@node-22.1.0', 'floor@node-22.1.0', null],
      ['middle@bun-1.4.5', 'floor@bun-1.4.5', null],
      ['top@node-22.1.0', 'middle@node-22.1.0', null],
      ['top@bun-1.4.5', 'middle@bun-1.4.5', null],
      ['changed@node-22.1.0', 'middle@node-22.1.0', 'top@node-22.1.0'],
      ['changed@bun-1.4.5', 'middle@bun-1.4.5', 'top@bun-1.4.5'],
    ]);
  });

  test('stay one where they have a command of their own, beside the others on the first runtime', () => {
    const go = makeTarget('go', { start: ['./server'], over: 'floor' });
    const onGo = makeTarget('on-go', { over: 'go' });
    const all = onRuntimes([makeTarget('floor'), go, onGo], [OLD, BUN]);
    expect(all.map(({ name, over }) => [name, over])).toEqual([
      ['floor@node-22.1.0', null],
      ['floor@bun-1.4.5', null],
      ['go', 'floor@node-22.1.0'],
      ['on-go@node-22.1.0', 'go'],
      ['on-go@bun-1.4.5', 'go'],
    ]);
  });

  test('stay as they are where somebody else has started them', () => {
    const external = { origin: 'http://127.0.0.1:8080', pids: [] };
    const [only, ...others] = onRuntimes([makeTarget('app', { external })], [OLD, BUN]);
    expect([only, others]).toMatchObject([{ name: 'app', runtime: null }, []]);
  });

  test('stay as they are where no runtime is asked for', () => {
    expect(onRuntimes(STACK, [])).toBe(STACK);
  });
});
