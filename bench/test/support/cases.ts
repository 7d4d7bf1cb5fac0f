/** How many cases are tried where all would take long: few, or as many as the full tier asks for. */
export const CASES = Number(process.env.OVERHEAD_RANDOM_CASES ?? 100);

/** Whether every combination is tried, not some of each kind. */
export const TRIES_ALL = CASES >= 10_000;
