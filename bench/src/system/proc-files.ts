/** Reads the kernel's files: those under /proc, and those of control groups. */
import { readFileSync } from 'node:fs';
import { codeOf } from '../base/errors.ts';

/** Linux reports ticks of 1/100 s to programs, whatever the kernel's own are. */
export const TICK_NS = 1e7;

/** The text of a file; null if there is none, or if its process or thread has ended. */
export function textOf(path: string): string | null {
  return unlessGone(() => readFileSync(path, 'utf8'), null);
}

/** The result of `read`, or the fallback if the process, thread or file is gone. */
export function unlessGone<T, Fallback>(read: () => T, fallback: Fallback): T | Fallback {
  return unless(['ENOENT', 'ENODEV', 'ESRCH'], read, fallback);
}

/** As `unlessGone`, also for a process that can't be inspected: another user's, or one that is ending. */
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

/** A whole number from the kernel. @throws for any other text. */
export function wholeNumber(text: string | undefined, what: string): number {
  if (text !== undefined && /^\d{1,20}$/.test(text)) return Number(text);
  throw new Error(`the kernel's ${what} is no whole number: ${JSON.stringify(text ?? '')}`);
}

/** The numbers in a kernel's list of cores or ports, such as `0-3,8`. @throws for any other text. */
export function parseList(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from <= to)) throw new Error(`no list of numbers from the kernel: ${list}`);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

/** The number after a label at the start of a line, as in `Pss:   12 kB`, or the fallback. @throws if it is none. */
export function numberAfter(label: string, text: string, fallback?: number): number {
  const value = new RegExp(`^${label}:?[ \\t]+(\\S+)`, 'm').exec(text)?.[1];
  return value === undefined && fallback !== undefined ? fallback : wholeNumber(value, label);
}

/**
 * Parses the `stat` of a process or thread, as in proc(5). CPU time is in whole ticks; that of a process includes all
 * its threads, ended ones too. Children are those that have ended and were waited for. @throws for any other text.
 */
export function parseStat(stat: string) {
  // The name before the state is in brackets, and may contain brackets and spaces.
  const [state, ...others] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  /** By its number in proc(5); the state is the third. */
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
    /** Distinguishes processes with the same pid. */
    startTicks: field(22),
  };
}
