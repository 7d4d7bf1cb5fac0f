/** The commands as functions for other programs. */
import { addAbortListener, EventEmitter } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { z } from 'zod';
import { INVALID, SLOWER, UserError } from '../base/errors.ts';
import { temporaryFolder } from '../base/files.ts';
import type { Figures } from '../figures/figures.ts';
import type { Estimate } from '../math/statistics.ts';
import type { Verdict } from '../math/verdicts.ts';
import type { RunRecord } from '../record/record.ts';
import type { OptionName } from '../request/options.ts';
import { type Backend, SYSTEM } from '../run/backend.ts';
import { type SideFigure, summarizeAb } from '../summary/ab.ts';
import { summarizeOverheads } from '../summary/comparisons.ts';
import { summarize } from '../summary/summary.ts';
import type { Code, Flag } from '../validity/flags.ts';
import type { Workload, workloadSchema } from '../workload/declaration.ts';
import { workloadIn } from '../workload/read.ts';
import { main } from './main.ts';

/** Options of the command line by their long names in camel case, with values as they are typed there. */
type TypedOptions = Partial<Record<OptionName, string | number | boolean | readonly string[]>>;

/** The options of a command, and ways to follow and to end it. */
export interface CommandOptions extends TypedOptions {
  /** Ends it after the current slice, as the first Ctrl-C does; it then throws the signal's reason. */
  signal?: AbortSignal;
  /** Called with each line that the command writes to stderr. */
  onProgress?: (text: string) => void;
}

/** A server in one topology under one load. */
export interface MeasuredCell {
  server: string;
  topology: string;
  load: string;
  /** Null if nothing was measured. */
  figures: Figures | null;
  /** Reasons not to trust one of its figures. */
  flags: Code[];
}

/** What a server costs more than what it is built on, or compared with. */
export interface MeasuredOverhead {
  server: string;
  over: string;
  /** CPU time, ns per request. */
  adds: Estimate;
  verdict: Verdict;
  flags: Code[];
}

interface Outcome {
  /** Whether everything was measured and can be trusted. */
  isSound: boolean;
  /** All that was seen, as the command saves it. */
  record: RunRecord;
}

export interface Measurement extends Outcome {
  cells: MeasuredCell[];
  overheads: MeasuredOverhead[];
}

/**
 * Measures servers as `overhead run` does: commands, folders or addresses, beside a floor that answers as the first.
 * @throws UserError with the command's message if nothing could be measured.
 */
export async function measure(
  servers: readonly string[],
  options: CommandOptions = {},
  backend: Backend = SYSTEM,
): Promise<Measurement> {
  const { code, record } = await runCommand(['run', ...servers], options, backend);
  const summary = summarize(record);
  const cells = summary.conditions.flatMap(({ topology, load, cells }) => {
    return cells.map(({ target, figures, flags }) => ({
      server: target.label,
      topology: topology.id,
      load: load.id,
      figures,
      flags: codesOf(flags),
    }));
  });
  const rows = summarizeOverheads(summary)?.rows ?? [];
  const overheads = rows.map(({ target, over, comparison }) => ({
    server: target.label,
    over: over.label,
    adds: comparison.difference,
    verdict: comparison.verdict,
    flags: codesOf(comparison.flags),
  }));
  return { isSound: code === 0, cells, overheads, record };
}

/** A server beside the first one, with the same request. */
export interface ComparedSide {
  first: string;
  side: string;
  method: string;
  path: string;
  /** CPU time, ns per request; differences are shares of the first. */
  cpu: ComparedFigure;
  /** Requests/s, bytes of memory, and latency at a rate, ns. */
  beside: ComparedFigure[];
  verdict: Verdict;
  flags: Code[];
}

/** A figure of both; how much more the side has, and the first when it is measured again. */
export type ComparedFigure = Pick<SideFigure, 'name' | 'first' | 'side' | 'difference' | 'again'>;

export interface Comparison extends Outcome {
  /** Whether a side is slower by at least the limit of `failOn`. */
  isTooSlow: boolean;
  sides: ComparedSide[];
}

/**
 * Compares servers with the first of them as `overhead ab` does, until each has a verdict or `maxTime` is over.
 * @throws UserError with the command's message if nothing could be measured.
 */
export async function compare(
  servers: readonly string[],
  options: CommandOptions = {},
  backend: Backend = SYSTEM,
): Promise<Comparison> {
  const { code, record } = await runCommand(['ab', ...servers], options, backend);
  const rows = summarizeAb(summarize(record))?.rows ?? [];
  const sides = rows.map(({ first, side, cpu, beside, verdict, flags }) => {
    const { method = 'GET', path = '/' } = side.requests[0]?.request ?? {};
    const names = { first: first.label, side: side.label, method, path };
    return { ...names, cpu, beside, verdict, flags: codesOf(flags) };
  });
  return { isSound: code === 0 || code === SLOWER, isTooSlow: code === SLOWER, sides, record };
}

function codesOf(flags: readonly Flag[]): Code[] {
  return flags.map(({ code }) => code);
}

/** Checks a declaration for `workload.json`. @throws UserError if it can't be measured, or names something it lacks. */
export function defineWorkload(declared: z.input<typeof workloadSchema>): Workload {
  return workloadIn('the workload', declared);
}

/** Executes a command. @throws UserError with what it said if it measured nothing. */
async function runCommand(
  words: string[],
  { signal, onProgress = () => {}, ...options }: CommandOptions,
  backend: Backend,
): Promise<{ code: number; record: RunRecord }> {
  signal?.throwIfAborted();
  await using folder = await temporaryFolder('run');
  const signals = new EventEmitter();
  using _ending = signal && addAbortListener(signal, () => signals.emit('SIGINT', 'SIGINT'));
  const said: string[] = [];
  const records: RunRecord[] = [];
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      said.push(String(chunk));
      onProgress(String(chunk));
      done();
    },
  });
  const argv = [...words, ...flagsOf({ out: join(folder.path, 'record.json'), ...options })];
  const stdout = new Writable({ write: (_chunk, _encoding, done) => done() });
  const onRecord = (record: RunRecord) => records.push(record);
  const code = await main(argv, { stdout, stderr, signals, backend, onRecord });
  signal?.throwIfAborted();
  // With --where a second record has the sampled run.
  const [record] = records;
  if (record === undefined || code === INVALID) {
    const message = said.join('').trim() || `it ended with ${code}`;
    throw new UserError(message, 'Change what it is given.');
  }
  return { code, record };
}

function flagsOf(options: TypedOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const long = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (value === undefined) return [];
    if (value === true) return [`--${long}`];
    if (value === false) return [`--no-${long}`];
    const values = Array.isArray(value) ? value : [value];
    return values.map((each) => `--${long}=${each}`);
  });
}
