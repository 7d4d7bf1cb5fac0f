/** Where proc(5) has these among the fields of a `stat`, from its state on. */
export const STAT_FIELD = {
  ...{ state: 0, parent: 1, group: 2, minorFaults: 7, majorFaults: 9 },
  ...{ user: 11, system: 12, childrensUser: 13, childrensSystem: 14, started: 19 },
};

/** A number of a file of the kernel, which has them in whole. @throws where there is none. */
export function wholeNumber(text: string | undefined, what: string): number {
  if (text !== undefined && /^\d{1,20}$/.test(text)) return Number(text);
  throw new Error(`the kernel's ${what} is no number: ${JSON.stringify(text ?? '')}`);
}

/** The fields of `/proc/PID/stat` and its like from the state on; the name before it, in brackets, may hold anything. */
export function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
