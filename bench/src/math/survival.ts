/** Times and how often each occurred, in any order. */
export type Counts = readonly (readonly [time: number, count: number])[];

/** Sums of shares may be off by this: far less than one in a hundred million. */
const ROUNDING = 1e-10;

/**
 * The Kaplan–Meier estimate (Kaplan & Meier 1958, "Nonparametric estimation from incomplete observations") of the time
 * to an event, if for some it is only known that the event had not occurred by the time they were `censored`. It
 * assumes that the censored would have gone on like the rest.
 * @returns `steps`: the times at which some ended, earliest first, with the share that ended then; `beyond`: the share
 *   that takes longer than all observed times, 1 without any; `quantile`: the smallest time by which a share has ended,
 *   null if that is beyond all observed times. Times are in the unit of the input.
 */
export function survival(events: Counts, censored: Counts) {
  // The order of equal times is kept: what is censored at the time of an event still counts as observed then.
  const ends = [
    ...events.map(([time, count]) => ({ time, count, isEvent: true })),
    ...censored.map(([time, count]) => ({ time, count, isEvent: false })),
  ].toSorted((a, b) => a.time - b.time);
  let observed = ends.reduce((sum, { count }) => sum + count, 0);
  let beyond = 1;
  const steps: { time: number; share: number; after: number }[] = [];
  for (const { time, count, isEvent } of ends) {
    if (isEvent) {
      const after = beyond * ((observed - count) / observed);
      steps.push({ time, share: beyond - after, after });
      beyond = after;
    }
    observed -= count;
  }
  const quantile = (share: number): number | null => {
    return steps.find(({ after }) => after <= 1 - share + ROUNDING)?.time ?? null;
  };
  return { steps, beyond, quantile };
}
