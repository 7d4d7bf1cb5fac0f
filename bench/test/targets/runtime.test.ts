import { expect, test } from 'vitest';
import {
  isSameRuntime,
  labelOn,
  nameOn,
  plainLabel,
  plainName,
  type Runtime,
  runtimeName,
} from '../../src/targets/runtime.ts';

const BUN: Runtime = { kind: 'bun', version: '1.4.5' };

test('a runtime is named with its version, if it has one', () => {
  expect(runtimeName(BUN)).toBe('Bun 1.4.5');
  expect(runtimeName({ kind: 'node', version: null })).toBe('Node');
});

test('a target on a runtime has a name and a label of its own, from which its plain ones are found', () => {
  const target = { name: nameOn('app', BUN), label: labelOn('App', BUN), runtime: BUN };
  expect(target).toMatchObject({ name: 'app@bun-1.4.5', label: 'App on Bun 1.4.5' });
  expect([plainName(target), plainLabel(target)]).toEqual(['app', 'App']);
});

test('what runs on the Node of the harness is called as it is', () => {
  const target = { name: 'app@bun-1.4.5', label: 'App on Bun 1.4.5', runtime: null };
  expect([plainName(target), plainLabel(target)]).toEqual([target.name, target.label]);
});

test('two runtimes are the same where kind and version are', () => {
  expect(isSameRuntime(BUN, { ...BUN })).toBe(true);
  expect(isSameRuntime(null, null)).toBe(true);
  expect(isSameRuntime(BUN, { ...BUN, version: '1.4.6' })).toBe(false);
  expect(isSameRuntime(BUN, { ...BUN, kind: 'node' })).toBe(false);
  expect(isSameRuntime(BUN, null)).toBe(false);
});
