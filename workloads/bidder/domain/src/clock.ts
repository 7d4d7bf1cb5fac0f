/** The time, ms since 1970. */
export type Clock = () => number;

/** A clock that stands still where CLOCK says a time, so that every answer is known; the real one otherwise. */
export function clockFrom({ CLOCK }: NodeJS.ProcessEnv): Clock {
  if (CLOCK === undefined) return Date.now;
  const frozen = Date.parse(CLOCK);
  if (Number.isNaN(frozen)) throw new Error(`CLOCK=${CLOCK} is no time`);
  return () => frozen;
}
