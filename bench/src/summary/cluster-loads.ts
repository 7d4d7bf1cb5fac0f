/** The loads that tell how many processes to run, by their names. */

/** As many requests as can be answered. */
export const FEASIBLE = 'feasible';
/** One request at a time. */
export const ALONE = 'alone';
/** Far more than can be answered in time. */
export const OVERLOAD = 'overload';
