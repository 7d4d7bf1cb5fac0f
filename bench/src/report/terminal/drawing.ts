import type { Drawing, Span } from '../document.ts';

/** A drawing as a line of characters; several dots in one place are their number. */
export function drawingText({ width, spans }: Drawing): string {
  const signs: string[] = [];
  const draw = (from: number, to: number, sign: string) => {
    for (let place = from; place < to; place++) signs[place] ??= sign;
  };
  for (const { from, to, look } of spans) {
    const [start, end] = [Math.round(from * width), Math.round(to * width)];
    if (look === 'at least') draw(start, end, '█');
    if (look === 'at most') draw(start, end, '▒');
  }
  const dots = spans.filter(({ look }) => look === 'dot').map((dot) => placeOf(dot, width));
  for (const [place, those] of Map.groupBy(dots, (dot) => dot)) {
    signs[place] = those.length === 1 ? '•' : String(those.length);
  }
  return Array.from(signs, (sign) => sign ?? ' ').join('');
}

function placeOf({ from }: Span, width: number): number {
  return Math.round(from * (width - 1));
}
