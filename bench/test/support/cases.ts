/** The number of cases where all of them would take long; the full tier asks for more. */
export const CASES = Number(process.env.OVERHEAD_RANDOM_CASES ?? 100);

/** Whether every combination is tried, not only some of each kind. */
export const TRIES_ALL = CASES >= 10_000;
