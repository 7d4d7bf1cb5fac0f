/** Where the work ends up, so that no compiler can leave it out. */
const state = new Int32Array([1]);

/** Work that takes time in proportion to its number of turns (Marsaglia's xorshift). */
export function churn(turns: number): void {
  let value = state[0] ?? 1;
  for (let turn = 0; turn < turns; turn++) {
    value ^= value << 13;
    value ^= value >>> 17;
    value ^= value << 5;
  }
  state[0] = value;
}
