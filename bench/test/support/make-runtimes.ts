import type { LocalRuntime } from '../../src/targets/runtime.ts';

/** Runtimes that are not installed anywhere. */
export const OLD: LocalRuntime = { kind: 'node', version: '22.1.0', program: '/cache/old' };
export const NEW: LocalRuntime = { kind: 'node', version: '24.1.0', program: '/cache/new' };
export const BUN: LocalRuntime = { kind: 'bun', version: '1.4.5', program: '/cache/bun' };
