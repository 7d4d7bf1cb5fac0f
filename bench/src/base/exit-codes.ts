/** Measuring failed, or the results can't be trusted. */
export const FAILED = 1;
/** Invalid input, found before anything was measured. */
export const INVALID = 2;
/** Slower by at least the limit of `--fail-on`. */
export const SLOWER = 3;
/** As the shell reports a process that was ended by SIGHUP. */
export const HUNG_UP = 129;
