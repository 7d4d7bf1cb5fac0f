import { join } from 'node:path';
import { SRC } from '../base/places.ts';
import type { LocalTarget } from '../targets/targets.ts';

/** What a server on Node loads before anything of its own, so that it keeps its heap. */
export const KEEP_HEAP = join(SRC, 'launch/keep-heap.cjs');

/**
 * What keeps a server on Node as it is under load while others have their turns: after 8 s with little to do V8
 * gives memory back and forgets code (its memory reducer), and the slices after that would pay for it, at
 * twice the cost of a request and more. A server that is always under load never does that. Nothing for
 * other runtimes; programs in other languages take no notice.
 */
export function restingEnvironment({
  env,
  passed,
  runtime,
}: Pick<LocalTarget, 'env' | 'passed' | 'runtime'>): Record<string, string> {
  if (runtime !== null && runtime.kind !== 'node') return {};
  const own = `--require "${KEEP_HEAP.replaceAll(/["\\]/g, '\\$&')}"`;
  const { NODE_OPTIONS: declared = '' } = { ...env, ...passed };
  return { NODE_OPTIONS: `${own} ${declared}`.trim() };
}
