/** Numbers that look random and are the same every time. */
export interface Random {
  /** A whole number from 0 to below this. */
  below(limit: number): number;
  /** One of these. */
  of<T>(choices: readonly [T, ...T[]]): T;
}

/** mulberry32 (Tommy Ettinger's 32-bit generator), started from two numbers: of the data, and of the row. */
export function random(seed: number, row: number): Random {
  let state = (seed ^ Math.imul(row, 0x9e3779b1)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit);
  return { below, of: (choices) => choices[below(choices.length)] ?? choices[0] };
}
