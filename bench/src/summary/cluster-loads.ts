/** The names of the loads that show how many processes to run. */

/** As many requests as can be answered. */
export const FEASIBLE = 'feasible';
/** One request at a time. */
export const ALONE = 'alone';
/** Far more requests than can be answered in time. */
export const OVERLOAD = 'overload';
