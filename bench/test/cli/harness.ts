import { mkdtempSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { BENCH, ROOT } from '../../src/base/places.ts';
import { reportOf } from '../../src/commands/report.ts';
import { sum } from '../../src/figures/figures.ts';
import type { Cell } from '../../src/plan/plan.ts';
import { type RunRecord, recordSchema } from '../../src/record/record.ts';
import { contextOf } from '../../src/validity/context.ts';
import { type Code, flagsOf } from '../../src/validity/flags.ts';
import { command } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import type { OwnPlace } from '../support/leftovers.ts';
import { eventually, type OwnProcess, socketsOn } from '../support/processes.ts';

/** As `vitest.config.mts` has it. */
const { NODE_COMPILE_CACHE = '' } = process.env;
export const CLI = join(BENCH, 'src/cli.ts');

/** As small as a simulated run can be and still have launches, rounds and a warm-up. */
export const TINY = '-c 10 -d 1.2 --slice 0.2 --launches 2 --warmup 0.1';
/** One launch of two rounds, in slices that a busy machine has an answer in. */
export const BRIEF = '-d 0.4 --slice 0.2 --launches 1 --warmup 0.1'.split(' ');
export const SHORT = ['-c', '10', ...BRIEF];
/** One launch of so many rounds that something can happen between them. */
export const SIX_ROUNDS = [...SHORT, '-d', '1.2'];
/** At a rate, which is over sooner than a closed loop; in so many launches that only a signal ends it. */
export const ENDLESS = '--rate 100 -d 30 --slice 0.1 --launches 60 --warmup 0.1'.split(' ');
export interface Finished {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

/** A command line under way. */
export interface Harness {
  readonly pid: number;
  /** Sends a signal to it and to whatever shares its process group, as a terminal does. */
  signal(name: NodeJS.Signals): void;
  /** Waits until stderr holds this so many times. @throws when it ended before. */
  untilSays(text: string, times?: number): Promise<void>;
  readonly finished: Promise<Finished>;
}

/** Starts the command line on the fixtures, from the repository's root, in this place. */
export function start(place: OwnPlace, args: string[], environment?: Record<string, string>) {
  return startCommand(place, [process.execPath, CLI, ...args], environment);
}

/** Starts a command from the repository's root, or another folder, in this place. */
export function startCommand(
  place: OwnPlace,
  [file, ...args]: [string, ...string[]],
  environment: Record<string, string> = {},
  cwd = ROOT,
): Harness {
  const child = execa(file, args, {
    cwd,
    detached: true,
    extendEnv: false,
    env: { NODE_COMPILE_CACHE, ...place.environment, ...environment },
    stdin: 'ignore',
    stripFinalNewline: false,
    reject: false,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} did not start`);
  let said = '';
  let ended = false;
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const finished = child.then(({ exitCode, stdout, stderr }) => {
    ended = true;
    return { code: exitCode, stdout, stderr };
  });
  return {
    pid,
    finished,
    signal: (name) => void process.kill(-pid, name),
    untilSays: async (text, times = 1) => {
      const says = () => said.split(text).length > times;
      await eventually(() => says() || ended, 90_000);
      if (!says()) throw new Error(`it never said "${text}", but: ${said}`);
    },
  };
}

/** Runs the command line to its end. */
export function overhead(place: OwnPlace, ...args: string[]): Promise<Finished> {
  return start(place, args).finished;
}

/** The arguments that choose these fixtures in these topologies. */
export function on(targets: string[], topology: string): string[] {
  return ['--packages', FIXTURES, '--targets', targets.join(','), '--topology', topology];
}

/** The record in this file, which keeps the schema. */
export function recordIn(path: string): RunRecord {
  return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Expects of a record that each of its cells, probes too, has all planned slices, and answers in them. */
export function expectAnswers({ plan, slices }: RunRecord): void {
  const due = plan.launches.flat().flatMap(({ rounds }) => rounds.flat());
  const planned = [...plan.cells, ...plan.probes].map(({ id }) => {
    return { id, slices: due.filter((cell) => cell === id).length, hasAnswers: true };
  });
  const measured = planned.map(({ id }) => {
    const own = slices.filter(({ cell }) => cell === id);
    const answers = sum(own, ({ measurement }) => measurement.window.ok);
    return { id, slices: own.length, hasAnswers: answers > 0 };
  });
  expect(measured).toEqual(planned);
}

/** The exit code of a record; which one it deserves is tested in `exit-codes.test.ts`. */
export function codeFor(record: RunRecord): number {
  return reportOf(record).exitCode;
}

/** Runs the command line to its end, and expects that it has measured all of its plan. */
export async function measured(place: OwnPlace, name: string, ...args: string[]) {
  const out = join(mkdtempSync(join(place.folder, 'run-')), 'record.json');
  const run = await overhead(place, name, '--out', out, ...args);
  return { ...run, record: await expectMeasured(out, run) };
}

/**
 * Expects of a run that it has measured all of its plan, that it says so with its exit code, and that its record, which
 * is returned, and its page are where it says, and show what it has printed.
 */
export async function expectMeasured(out: string, run: Finished): Promise<RunRecord> {
  const page = out.replace(/json$/, 'html');
  const { code, stdout, stderr } = run;
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [], serviceFailures: [] });
  expectAnswers(record);
  for (const [cell, slices] of Map.groupBy(record.slices, (slice) => slice.cell)) {
    const cpuNs = sum(slices, ({ measurement }) => measurement.cpu.server.cpuNs);
    expect(cpuNs, cell).toBeGreaterThan(0);
  }
  expect(code).toBe(codeFor(record));
  const said = `\nSaved as ${relative(ROOT, out)}\nIts page: ${relative(ROOT, page)}\n`;
  expect(stderr.endsWith(said)).toBe(true);
  const title = `overhead ${record.suite}`;
  expect(stdout.startsWith(`${title}\n`)).toBe(true);
  expect(readFileSync(page, 'utf8')).toContain(`<h1>${title}</h1>`);
  expect(await command(['report', out])).toEqual({ code, stdout, stderr: '' });
  return record;
}

/** The row of a table that begins with this label. @throws when there is none. */
export function rowOf(text: string, label: string): string {
  const row = text.split('\n').find((line) => line.startsWith(`${label}  `));
  if (row === undefined) throw new Error(`no row of ${label} in: ${text}`);
  return row;
}

/** What the flags say of these cells of a run, or of any. */
export function codesOf(record: RunRecord, isOwn: (cell: Cell) => boolean = () => true): Set<Code> {
  const cells = record.plan.cells.filter(isOwn);
  return new Set(cells.flatMap((cell) => flagsOf(contextOf(record, cell)).map(({ code }) => code)));
}

/** The running servers of this fixture; those of clusters do not tell their port. */
export function serversOf(place: OwnPlace, name: string): OwnProcess[] {
  return place.processes().filter(({ directory }) => directory === join(FIXTURES, name));
}

/** Waits until a server of this fixture has been started, whether it listens or not. */
export async function untilStarted(place: OwnPlace, name: string): Promise<void> {
  if (await eventually(() => serversOf(place, name).length > 0, 30_000)) return;
  throw new Error(`${name} was never started`);
}

/** Waits until the plain server of this fixture has so many connections: a load is on it. */
export async function untilLoaded(place: OwnPlace, name: string, connections: number) {
  const ports = () => serversOf(place, name).flatMap(({ port }) => port ?? []);
  const loaded = () => ports().some((port) => socketsOn(port, 'established') >= connections);
  const isLoaded = await eventually(loaded, 30_000);
  if (!isLoaded) throw new Error(`${name} never had ${connections} connections`);
  for (const port of ports()) place.watch(port);
}
