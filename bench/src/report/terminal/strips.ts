import type { Scale, Strips } from '../document.ts';

const STRIP_COLUMNS = 56;
const GAP = 2;

/** Each row's values as dots between the ends of its panel. */
export function renderStrips({ panels }: Strips): string {
  const names = panels.flatMap(({ title, rows }) => [title, ...rows.map(rowName)]);
  const nameColumns = GAP + Math.max(...names.map(({ length }) => length));
  const line = (name: string, text: string) => name.padEnd(nameColumns) + text;
  return panels
    .map(({ title, scale, rows }) => {
      const lines = rows.map((row) => line(rowName(row), strip(row.values, scale)));
      return [line(title, scaleText(scale)), ...lines].join('\n');
    })
    .join('\n\n');
}

function rowName({ name }: { name: string }): string {
  return `  ${name}`;
}

function scaleText({ low, high }: Scale): string {
  return low.text + high.text.padStart(STRIP_COLUMNS - low.text.length);
}

/** A dot for each value, or their number where several fall on one place. */
function strip(values: number[], { low, high }: Scale): string {
  const [from, to] = [low.value, high.value];
  const places = values.map((value) => {
    return to === from ? 0 : Math.round(((value - from) / (to - from)) * (STRIP_COLUMNS - 1));
  });
  return Array.from({ length: Math.max(...places) + 1 }, (_, place) => {
    const here = places.filter((each) => each === place).length;
    if (here === 0) return ' ';
    return here === 1 ? '•' : String(here);
  }).join('');
}
