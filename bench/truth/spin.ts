/** Where the work ends up, so that no compiler can leave it out; typed, so that none has to guess. */
const state = new Int32Array(1);

/** Work that takes time in proportion to its number of turns. */
export function spin(turns: number): void {
  let value = state[0] ?? 0;
  for (let turn = 0; turn < turns; turn++) value = (Math.imul(value, 1664525) + 1013904223) | 0;
  state[0] = value;
}
