import type { Look } from './table.ts';
import { wrap } from './wrap.ts';

/** What went wrong with a server, and the last lines that it wrote. */
export function renderFailure(text: string, lastWords: string[], look: Look): string {
  const lines = wrap(text, look.width).split('\n').map(look.warn);
  return [...lines, ...lastWords.map((line) => look.dim(`  ${line}`))].join('\n');
}
