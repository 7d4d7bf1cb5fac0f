/** Times and how many had each, in any order. */
export type Counts = readonly (readonly [time: number, count: number])[];

/** What is known of how long something takes, when not all of it was seen to end. */
export interface Survival {
  /** The times at which some ended, the earliest first, each with the share that ended just then. */
  steps: { time: number; share: number }[];
  /** The share that takes longer than all that was seen. */
  beyond: number;
  /** The smallest time by which this share has ended; null where it is beyond all that was seen. */
  quantile(share: number): number | null;
}

/** Sums of shares may miss by this: far less than one of a hundred million. */
const ROUNDING = 1e-10;

/**
 * The Kaplan–Meier estimate (Kaplan & Meier 1958, "Nonparametric estimation from incomplete
 * observations") of the times to an event, of which some were only seen not to have come by the time
 * that they were `censored`. At each event's time, those that end are a share of those still observed
 * then; what is censored at that very time is still observed. It holds where what is censored would
 * have gone on like the rest. Times are in the unit that they are given in. Without anything, all is
 * `beyond`.
 */
export function survival(events: Counts, censored: Counts): Survival {
  const ends = [
    ...events.map(([time, count]) => ({ time, count, isEvent: true })),
    ...censored.map(([time, count]) => ({ time, count, isEvent: false })),
  ].toSorted((a, b) => a.time - b.time || Number(b.isEvent) - Number(a.isEvent));
  let observed = ends.reduce((sum, { count }) => sum + count, 0);
  let beyond = 1;
  const steps: (Survival['steps'][number] & { after: number })[] = [];
  for (const { time, count, isEvent } of ends) {
    const before = beyond;
    if (isEvent) {
      beyond *= (observed - count) / observed;
      steps.push({ time, share: before - beyond, after: beyond });
    }
    observed -= count;
  }
  return {
    steps: steps.map(({ time, share }) => ({ time, share })),
    beyond,
    quantile: (share) => {
      return steps.find(({ after }) => after <= 1 - share + ROUNDING)?.time ?? null;
    },
  };
}
