/** What the sections on where the time goes say of their figures. */
import type { Part } from '../../figures/where.ts';
import { mapEstimate, pointOf } from '../../math/statistics.ts';
import type { Charged } from '../../record/profile.ts';
import type { PartCost, Where } from '../../summary/where.ts';
import { microseconds, plusMinus, ratioRange, signedPercent, signedPlusMinus } from '../format.ts';

/** Whom time goes to, as the tables name it. */
export function partName(part: Part): string {
  switch (part.kind) {
    case 'package':
      return `${part.name} ${part.version}`.trim();
    case 'own':
      return 'its own code';
    case 'node':
      return "Node's own modules";
    case 'native':
      return 'native code called by JavaScript';
    case 'collector':
      return 'garbage collection';
    case 'program':
      return 'native code of the event loop: (program)';
    case 'idle':
      return '(idle) that was not idle';
    case 'generated':
      return 'code made at run time';
    case 'kernel':
      return 'kernel';
    case 'background':
      return "V8's other threads";
    case 'unknown':
      return 'could not be told';
  }
}

/** A function with its place: `handle lib/route.js:12`. */
export function functionName({ name, file, line }: Charged): string {
  if (file === null) return name;
  return `${name} ${file}${line === null ? '' : `:${line}`}`;
}

/** Parts of which a sentence tells: so many at most, and those alone whose interval is off 0. */
const TOLD = 4;

/** Why a request of one costs more than of the other, the largest part first. */
export function whySentence({ target, over, more, parts }: Where): string | null {
  if (over === null || more.kind === 'none') return null;
  const known = parts.filter((part) => isTold(part));
  const told = known
    .toSorted((a, b) => Math.abs(pointOf(b.more) ?? 0) - Math.abs(pointOf(a.more) ?? 0))
    .slice(0, TOLD);
  const isMore = more.value >= 0;
  const size = isMore ? more : mapEstimate(more, (ns) => -ns);
  const head = `${target.label} costs ${plusMinus(size, 1000)} µs ${isMore ? 'more' : 'less'} than ${over.label}`;
  if (told.length === 0) return `${head}; no part of it can be told from none.`;
  return `${head}: ${told.map(toldPart).join(', ')}.`;
}

function isTold({ more }: PartCost): boolean {
  return more.kind === 'interval' && (more.low > 0 || more.high < 0);
}

function toldPart({ part, more, files }: PartCost): string {
  const [most] = files;
  const where = part.kind === 'package' && most !== undefined && most.moreNs > 0;
  const mostly = where ? ` (mostly ${most.file})` : '';
  return `${signedPlusMinus(more, 1000)} in ${partName(part)}${mostly}`;
}

/** Whether the parts come to what the same servers take that are never sampled, and what to do where they do not. */
export function agreementSentences(wheres: readonly Where[]): string[] {
  const known = wheres.filter(({ overUnsampled }) => overUnsampled.kind === 'interval');
  const untold = wheres.map(({ parts, measured }) => {
    const part = parts.find(({ part: { kind } }) => kind === 'unknown');
    return (part === undefined ? 0 : (pointOf(part.ns) ?? 0)) / (pointOf(measured) ?? Number.NaN);
  });
  const most = `${(Math.max(...untold) * 100).toFixed(1)} %`;
  return [
    ...(known.length === 0
      ? [UNCHECKED]
      : [comparedSentence(known), ...known.flatMap(verdictSentence)]),
    `Of what could not be told there is ${most} at most.`,
  ];
}

const UNCHECKED =
  'Whether the parts come to what these servers take when nobody samples them is not known from this record: that ' +
  'wants servers beside them that are never sampled, in several launches, as every new run of where has them.';

function comparedSentence(known: readonly Where[]): string {
  const all = known.map(({ target, overUnsampled }) => {
    return `${target.label} ${ratioRange(overUnsampled)}`;
  });
  const agree = known.every(({ agreement }) => agreement === 'agrees');
  return (
    'The parts together, over the CPU time of a request to the same server in another process, never sampled: ' +
    `${all.join(', ')}.${agree ? ' Within these errors they agree.' : ''}`
  );
}

function verdictSentence({ target, overUnsampled: times, agreement }: Where): string[] {
  const off = times.kind === 'none' ? Number.NaN : times.value - 1;
  switch (agreement) {
    case 'agrees':
      return [];
    case "can't tell":
      return [
        `Of ${target.label} that is not known well enough: measure longer (-d), in more launches.`,
      ];
    case 'off':
      return [
        `The parts of ${target.label} are off by ${signedPercent(off)}, which is beyond these errors: go by the ` +
          'shares of its parts, not by their microseconds. Run it again with more launches, where nothing else ' +
          'runs; if it stays so, the sampler changes what this server does.',
      ];
  }
}

/** What is taken off where, and from what. */
export function howSentence(wheres: readonly Where[]): string {
  const sampling = wheres.map(({ target, sampling: cost }) => {
    return `${plusMinus(cost, 1000)} µs of ${target.label}`;
  });
  return (
    'Samples are weighed by the time since the one before; what sampling costs a request is known from slices ' +
    `without it, in the same rounds and processes (${sampling.join(', ')}), and is off all parts: off garbage ` +
    "collection by the collector's own clock where that was asked, off all others in proportion. The kernel's " +
    'time is what the system counts; samples charge it to the native functions that make system calls, (program) ' +
    'and (idle), and it is off these in proportion. Time asleep is off (idle). What was found in an inlined function is its own, by the lines.'
  );
}

/** A part that is too small for a row of its own. */
export function smallText(small: readonly PartCost[]): string {
  const ns = small.reduce((sum, { ns: own }) => sum + (pointOf(own) ?? 0), 0);
  return `${small.length} more, together ${microseconds(ns)} µs`;
}
