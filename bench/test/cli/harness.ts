/** The real command line, what tests expect of its records, and runs in which something is wrong. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { BENCH, ROOT } from '../../src/base/places.ts';
import { reportOf } from '../../src/commands/report.ts';
import { sum } from '../../src/figures/figures.ts';
import type { Cell, Plan } from '../../src/plan/plan.ts';
import { type RunRecord, recordSchema } from '../../src/record/record.ts';
import { contextOf } from '../../src/validity/context.ts';
import { type Code, flagsOf } from '../../src/validity/flags.ts';
import { command } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { type OwnPlace, ownPlace } from '../support/leftovers.ts';
import { eventually, socketsOn } from '../support/processes.ts';

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

export type Harness = ReturnType<typeof startCommand>;
type Finished = Awaited<Harness['finished']>;
type Command = [string, ...string[]];
type Environment = Record<string, string>;

/** A place of the test file's own, in which the command line runs from the repository's root. */
export function harnessPlace() {
  const place = ownPlace();
  const out = join(place.folder, 'record.json');
  const start = (args: string[], environment?: Environment, wrapped = (all: Command) => all) => {
    return startCommand(place, wrapped([process.execPath, CLI, ...args]), environment);
  };
  const startRun = (args: string[]) => start(['frameworks', ...args, '--out', out]);
  /** Starts the command line after these shell commands, in namespaces of its own; `as` precedes it, as `setpriv …`. */
  const startWithin = (kind: '--mount' | '--net', commands: string, args: string[], as = '') => {
    const script = `${commands} && exec ${as} "$0" "$@"`;
    return start(args, undefined, (command) => ['unshare', kind, 'sh', '-c', script, ...command]);
  };
  /** The running servers of this fixture; those of clusters do not tell their port. */
  const serversOf = (name: string) => {
    return place.processes().filter(({ directory }) => directory === join(FIXTURES, name));
  };
  return {
    ...place,
    /** Where its runs save their records. */
    out,
    /** Starts the command line, where `wrapped` is given in another command. */
    start,
    /** Starts `frameworks`, whose record is saved there. */
    startRun,
    startWithin,
    record: (path = out) => recordIn(path),
    /** The record of a run that has measured all of its plan. */
    wholeRecord: (parts: Partial<RunRecord> = {}, path = out) => {
      const record = recordIn(path);
      expect(record).toMatchObject({ state: 'complete', failures: [], ...parts });
      expectAnswers(record);
      return record;
    },
    /** Runs `frameworks` to its end. */
    run: async (...args: string[]) => {
      return { ...(await startRun(args).finished), record: recordIn(out) };
    },
    /** Starts it, and waits until it has measured a round. */
    startRound: async (...args: string[]) => {
      const harness = startRun(args);
      await harness.untilSays('a round is over');
      return harness;
    },
    /** Runs a command to its end, and expects that it has measured all of its plan. */
    measured: async (args: string[], environment?: Environment) => {
      const run = await start([...args, '--out', out], environment).finished;
      return { ...run, record: await expectMeasured(out, run) };
    },
    serversOf,
    /** Waits until a server of this fixture has been started, whether it listens or not. */
    untilStarted: async (name: string) => {
      if (await eventually(() => serversOf(name).length > 0, 30_000)) return;
      throw new Error(`${name} was never started`);
    },
    /** Waits until the plain server of this fixture has so many connections: a load is on it. */
    untilLoaded: async (name: string, connections: number) => {
      const ports = () => serversOf(name).flatMap(({ port }) => port ?? []);
      const loaded = () => ports().some((port) => socketsOn(port, 'established') >= connections);
      const isLoaded = await eventually(loaded, 30_000);
      if (!isLoaded) throw new Error(`${name} never had ${connections} connections`);
      for (const port of ports()) place.watch(port);
    },
    /** Makes targets like the fixture `ok` but for these changes of `bench`; returns the options that choose them. */
    targets: (targets: Record<string, object>): string[] => {
      const ok = JSON.parse(readFileSync(join(FIXTURES, 'ok/package.json'), 'utf8'));
      const main = join(FIXTURES, 'ok/main.mjs');
      for (const [name, changes] of Object.entries(targets)) {
        const bench = { ...ok.bench, label: name, start: ['node', main], ...changes };
        place.write(`targets/${name}/package.json`, { ...ok, name, bench });
      }
      return on(Object.keys(targets), 'single', join(place.folder, 'targets'));
    },
  };
}

/** Starts a command from the repository's root, or another folder, in this place. */
export function startCommand(
  place: OwnPlace,
  [file, ...args]: Command,
  environment: Environment = {},
  cwd = ROOT,
) {
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
    /** Sends a signal to it and to whatever shares its process group, as a terminal does. */
    signal: (name: NodeJS.Signals) => void process.kill(-pid, name),
    /** Waits until stderr holds this so many times. @throws when it ended before. */
    untilSays: async (text: string, times = 1) => {
      const says = () => said.split(text).length > times;
      await eventually(() => says() || ended, 90_000);
      if (!says()) throw new Error(`it never said "${text}", but: ${said}`);
    },
  };
}

/** The arguments that choose these targets, by default fixtures, in these topologies. */
export function on(targets: string[], topology: string, packages = FIXTURES): string[] {
  return ['--packages', packages, '--targets', targets.join(','), '--topology', topology];
}

export function recordIn(path: string): RunRecord {
  return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** The slices that a plan has, in the order of its rounds. */
export function dueIn({ launches }: Plan): string[] {
  return launches.flat().flatMap(({ rounds }) => rounds.flat());
}

/** Expects of a record that each of its cells, probes too, has all planned slices, and answers in them. */
export function expectAnswers({ plan, slices }: RunRecord): void {
  const due = dueIn(plan);
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

/** The exit code of a record; which one it deserves is tested in `report.test.ts`. */
export function codeFor(record: RunRecord): number {
  return reportOf(record).exitCode;
}

/** Expects that a run measured its whole plan, and that its exit code, record, page and output agree. */
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
