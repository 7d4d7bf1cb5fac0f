import type { Part } from '../../figures/where.ts';
import { type Estimate, mapEstimate, pointOf } from '../../math/statistics.ts';
import type { ProfiledFunction } from '../../record/profile.ts';
import type { PartCost, Where } from '../../summary/where.ts';
import { amount, type Column, type Section, type Table, tableOf, words } from '../document.ts';
import { partColumns } from '../drawings.ts';
import { microseconds, plusMinus, ratioRange, signedPlusMinus } from '../format.ts';
import { section } from '../section.ts';

const SMALL = 0.01;
const FUNCTIONS = 5;

/** Where CPU time goes, and why one target costs more than another. */
export function whereSections(wheres: readonly Where[], details: boolean): Section[] {
  const heading = 'Where the microseconds go';
  if (wheres.length === 0) return [section(heading, ['Nothing was sampled here.'])];
  const upwards = wheres.toSorted((a, b) => nsOf(a.measured) - nsOf(b.measured));
  const isChecked = wheres.some(({ overUnsampled }) => overUnsampled.kind === 'interval');
  return [
    section(heading, [
      whereTable(upwards, isChecked),
      ...upwards.map(whyText),
      isChecked ? CHECKED : UNCHECKED,
    ]),
    ...upwards.map((where) => targetSection(where, details)),
    section('How this was measured', [methodText(wheres)]),
  ];
}

/** The CPU time of a request by part for each target, and whether the parts add up. */
function whereTable(wheres: readonly Where[], isChecked: boolean): Table {
  const rows = wheres.map((where) => {
    const partsIn = (series: string) => {
      return where.parts.filter(({ part }) => PARTS[part.kind][1] === series);
    };
    return { where, parts: SERIES.map((name) => ({ name, value: sumOf(partsIn(name)) })) };
  });
  type Row = (typeof rows)[number];
  const agreement: Column<Row>[] = [
    amount('known', 'over\nunsampled', ({ where }) => ratioRange(where.overUnsampled)),
    words('known', 'agreement', ({ where: { agreement: own } }) => {
      return own === 'off' ? { text: own, emphasis: 'warn' } : own;
    }),
  ];
  const columns: Column<Row>[] = [
    ...partColumns(rows, microseconds, ({ where }) => plusMinus(where.together, 1000)),
    amount('known', 'unattributed', ({ where: { parts, measured } }) => {
      const unknownNs = sumOf(parts.filter(({ part }) => part.kind === 'unknown'));
      const share = unknownNs / (pointOf(measured) ?? Number.NaN);
      return Number.isNaN(share) ? null : `${(share * 100).toFixed(1)} %`;
    }),
    ...(isChecked ? agreement : []),
  ];
  return tableOf(['CPU µs/request', ({ where }) => where.target.label], columns, rows);
}

const nsOf = (estimate: Estimate) => pointOf(estimate) ?? 0;

function sumOf(parts: readonly PartCost[]): number {
  return parts.reduce((sum, { ns }) => sum + nsOf(ns), 0);
}

type Row = ReturnType<typeof partRow>;

function targetSection({ target, over, measured, more, parts }: Where, details: boolean): Section {
  const least = nsOf(measured) * SMALL;
  const isShown = (part: PartCost) => {
    return details || [part.ns, part.more].some((each) => Math.abs(nsOf(each)) >= least);
  };
  const small = parts.filter((part) => !isShown(part));
  const rows = parts.filter(isShown).flatMap((part) => {
    return [partRow(part), ...(details ? part.functions.slice(0, FUNCTIONS).map(functionRow) : [])];
  });
  const columns = [
    amount<Row>('', 'CPU\nµs/request', ({ cpu }) => cpu),
    ...(over === null ? [] : [amount<Row>('', `more than\n${over.label}`, (row) => row.more)]),
    // With details functions have their own rows.
    ...(details ? [] : [words<Row>('', 'mostly', ({ mostly }) => mostly)]),
  ];
  const than = over === null ? '' : `, ${signedPlusMinus(more, 1000)} compared with ${over.label}`;
  const rest =
    small.length === 0
      ? ''
      : ` Not shown: ${small.length} more, together ${microseconds(sumOf(small))} µs.`;
  return section(target.label, [
    tableOf(['owner', ({ name }) => name], columns, rows),
    `Measured without sampling: ${plusMinus(measured, 1000)} µs${than}.${rest}`,
  ]);
}

function partRow({ part, ns, more, functions: [most] }: PartCost) {
  // A pseudo-function such as (idle) adds nothing to the name of its part.
  const isNamed = most !== undefined && !(most.file === null && most.name.startsWith('('));
  return {
    name: partName(part),
    cpu: plusMinus(ns, 1000),
    more: signedPlusMinus(more, 1000),
    mostly: isNamed ? functionName(most) : null,
  };
}

function functionRow(own: ProfiledFunction): Row {
  return { name: `· ${functionName(own)}`, cpu: microseconds(own.ns), more: '', mostly: '' };
}

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
const SERIES = [...new Set(Object.values(PARTS).map(([, series]) => series))];

export function partName(part: Part): string {
  return part.kind === 'package' ? `${part.name} ${part.version}`.trim() : PARTS[part.kind][0];
}

/** A function with its place: `handle lib/route.js:12`. */
function functionName({ name, file, line }: ProfiledFunction): string {
  if (file === null) return name;
  return `${name} ${file}${line === null ? '' : `:${line}`}`;
}

/** At most so many parts are named, and only those whose interval excludes 0. */
const MOST_NAMED = 4;

/** Where the difference between a target and its base is, the largest part first. */
function whyText({ target, over, more, parts }: Where): string | null {
  if (over === null || more.kind === 'none') return null;
  const size = more.value >= 0 ? more : mapEstimate(more, (ns) => -ns);
  const what = `${plusMinus(size, 1000)} µs ${more.value >= 0 ? 'more' : 'less'}`;
  const named = parts
    .filter(({ more: own }) => own.kind === 'interval' && (own.low > 0 || own.high < 0))
    .toSorted((a, b) => Math.abs(nsOf(b.more)) - Math.abs(nsOf(a.more)))
    .slice(0, MOST_NAMED)
    .map(({ part, more: own, files: [most] }) => {
      const isMostly = part.kind === 'package' && most !== undefined && most.moreNs > 0;
      const mostly = isMostly ? ` (mostly ${most.file})` : '';
      return `${signedPlusMinus(own, 1000)} in ${partName(part)}${mostly}`;
    });
  const why = named.length === 0 ? '; no part of that is clearly off 0' : `: ${named.join(', ')}`;
  return `${target.label} costs ${what} than ${over.label}${why}.`;
}

const CHECKED =
  '"Over unsampled" is the sum of the parts over the CPU time of a request to the same server in another process, never ' +
  "sampled. Can't tell: measure longer (-d), in more launches. Off: trust the shares of the parts, not their microseconds, " +
  'and run it again with more launches on a quiet machine; if it stays so, the sampler changes what this server does.';

const UNCHECKED =
  'This record does not show whether the parts add up to what these servers take when nobody samples them: that needs the ' +
  'same servers unsampled beside them, in several launches, as every new run of where has them.';

function methodText(wheres: readonly Where[]): string {
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
