/** Names and texts of the sections on where CPU time goes. */
import type { Part } from '../../figures/where.ts';
import { mapEstimate, pointOf } from '../../math/statistics.ts';
import type { ProfiledFunction } from '../../record/profile.ts';
import type { PartCost, Where } from '../../summary/where.ts';
import { plusMinus, signedPlusMinus } from '../format.ts';

/** The name of each kind of part in tables, and its series in the chart. */
const PARTS: Record<Part['kind'], [name: string, series: string]> = {
  kernel: ['kernel', 'kernel'],
  native: ['native code called by JavaScript', 'native'],
  program: ['native code of the event loop: (program)', 'native'],
  idle: ['(idle) that was not idle', 'native'],
  collector: ['garbage collection', 'collector'],
  node: ["Node's own modules", 'node'],
  package: ['package', 'packages'],
  own: ['its own code', 'own code'],
  background: ["V8's other threads", 'other'],
  generated: ['generated code', 'other'],
  unknown: ['unattributed', 'other'],
};

/** The series of the chart: as many as a page has colours. */
export const SERIES = [...new Set(Object.values(PARTS).map(([, series]) => series))];

/** The name of a part in tables. */
export function partName(part: Part): string {
  return part.kind === 'package' ? `${part.name} ${part.version}`.trim() : PARTS[part.kind][0];
}

/** The series of a part in the chart. */
export function seriesOf({ kind }: Part): string {
  return PARTS[kind][1];
}

/** A function with its place: `handle lib/route.js:12`. */
export function functionName({ name, file, line }: ProfiledFunction): string {
  if (file === null) return name;
  return `${name} ${file}${line === null ? '' : `:${line}`}`;
}

/** At most so many parts are named, and only those whose interval excludes 0. */
const MOST_NAMED = 4;

/** Where the difference between a target and its base is, the largest part first. */
export function whyText({ target, over, more, parts }: Where): string | null {
  if (over === null || more.kind === 'none') return null;
  const size = more.value >= 0 ? more : mapEstimate(more, (ns) => -ns);
  const what = `${plusMinus(size, 1000)} µs ${more.value >= 0 ? 'more' : 'less'}`;
  const sizeOf = (part: PartCost) => Math.abs(pointOf(part.more) ?? 0);
  const named = parts
    .filter(({ more: own }) => own.kind === 'interval' && (own.low > 0 || own.high < 0))
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, MOST_NAMED)
    .map(({ part, more: own, files: [most] }) => {
      const isMostly = part.kind === 'package' && most !== undefined && most.moreNs > 0;
      const mostly = isMostly ? ` (mostly ${most.file})` : '';
      return `${signedPlusMinus(own, 1000)} in ${partName(part)}${mostly}`;
    });
  const why = named.length === 0 ? '; no part of that is clearly off 0' : `: ${named.join(', ')}`;
  return `${target.label} costs ${what} than ${over.label}${why}.`;
}

/** Explains the columns on agreement, and what to do where the parts do not add up. */
export const CHECKED =
  '"Over unsampled" is the sum of the parts over the CPU time of a request to the same server in another process, never ' +
  "sampled. Can't tell: measure longer (-d), in more launches. Off: trust the shares of the parts, not their microseconds, " +
  'and run it again with more launches on a quiet machine; if it stays so, the sampler changes what this server does.';

/** Why there are no such columns. */
export const UNCHECKED =
  'This record does not show whether the parts add up to what these servers take when nobody samples them: that needs the ' +
  'same servers unsampled beside them, in several launches, as every new run of where has them.';

/** How samples become CPU time. */
export function methodText(wheres: readonly Where[]): string {
  const sampling = wheres.map(({ target, sampling: cost }) => {
    return `${plusMinus(cost, 1000)} µs for ${target.label}`;
  });
  return (
    'Each sample counts for the time since the one before. What sampling costs a request is known from slices without it, in ' +
    `the same rounds and processes (${sampling.join(', ')}), and is subtracted from all parts: from garbage collection by ` +
    "the collector's own clock where that was read, from all others in proportion. Kernel time is what the system counts; " +
    'samples charge it to (program), (idle) and the native functions that make system calls, so it is subtracted from these ' +
    'in proportion. Time asleep is subtracted from (idle). Inlined functions are told apart by their lines.'
  );
}
