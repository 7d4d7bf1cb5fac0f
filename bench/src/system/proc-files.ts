/** Reads what the kernel writes into its files: under /proc, and those of control groups. */
import { readFileSync } from 'node:fs';
import { codeOf } from '../base/errors.ts';

/** To every program one of Linux's ticks is 1/100 s, whatever the kernel's own are. */
export const TICK_NS = 1e7;

/** The text of a file; null where this system has no such file, or its process or thread has ended. */
export function textOf(path: string): string | null {
  return unlessGone(() => readFileSync(path, 'utf8'), null);
}

/** What is read of a process, a thread or a file, or the fallback where that is gone. */
export function unlessGone<T, Fallback>(read: () => T, fallback: Fallback): T | Fallback {
  return unless(['ENOENT', 'ENODEV', 'ESRCH'], read, fallback);
}

/** As `unlessGone`, and for a process that can't be inspected: another user's, or one that is just ending. */
export function unlessUnreadable<T>(read: () => T, fallback: T): T {
  return unless(['ENOENT', 'ESRCH', 'EACCES'], read, fallback);
}

function unless<T, Fallback>(codes: readonly string[], read: () => T, fallback: Fallback) {
  try {
    return read();
  } catch (error) {
    if (codes.includes(codeOf(error) ?? '')) return fallback;
    throw error;
  }
}

/** A whole number of the kernel's. @throws for any other text. */
export function wholeNumber(text: string | undefined, what: string): number {
  if (text !== undefined && /^\d{1,20}$/.test(text)) return Number(text);
  throw new Error(`the kernel's ${what} is no whole number: ${JSON.stringify(text ?? '')}`);
}

/**
 * The number after a label at the start of a line, as in `Pss:   12 kB` and `nr_periods 3`, or the fallback where no
 * line has the label.
 * @throws where it is no number, and where there is neither a line nor a fallback.
 */
export function numberAfter(label: string, text: string, fallback?: number): number {
  const value = new RegExp(`^${label}:?[ \\t]+(\\S+)`, 'm').exec(text)?.[1];
  return value === undefined && fallback !== undefined ? fallback : wholeNumber(value, label);
}

/**
 * A `stat` of a process or thread, as in proc(5). CPU time is in whole ticks, and that of a process is of all its
 * threads, ended ones too; children are those that have ended and were waited for.
 * @throws for what is none.
 */
export function parseStat(stat: string) {
  // The name before the state is in brackets, and may hold brackets and spaces.
  const [state, ...others] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  /** By its number in proc(5), where the state is the third. */
  const field = (number: number) => wholeNumber(others[number - 4], `field ${number} of a stat`);
  return {
    state,
    parent: field(4),
    /** -1 once a process is being removed. */
    group: Number(others[1]),
    pageFaults: field(10) + field(12),
    userNs: field(14) * TICK_NS,
    kernelNs: field(15) * TICK_NS,
    childrensNs: (field(16) + field(17)) * TICK_NS,
    /** Tells a process from an earlier one of the same pid. */
    startTicks: field(22),
  };
}
