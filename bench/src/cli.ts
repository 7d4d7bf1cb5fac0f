import { randomInt } from 'node:crypto';
import { join, relative } from 'node:path';
import { styleText } from 'node:util';
import { CommanderError } from 'commander';
import { codeOf, messageOf, UserError } from './errors.ts';
import { listenForInterrupts } from './interrupt.ts';
import { describeMachine } from './machine.ts';
import {
  parseArguments,
  type ReportOptions,
  type Request,
  type RunOptions,
  type VerifyOptions,
} from './options.ts';
import { makePlan } from './plan.ts';
import { startProgress } from './progress.ts';
import { readPublished } from './published.ts';
import { newRecord, type RunRecord, readRecord, saveRecord } from './record.ts';
import { renderInterim } from './report/interim.ts';
import type { Look } from './report/table.ts';
import { renderReport } from './report/terminal.ts';
import { renderVerification } from './report/verification.ts';
import { run } from './run.ts';
import { summarize } from './summary.ts';
import {
  type LocalTarget,
  readTargets,
  requireBuilt,
  type Suite,
  selectTargets,
} from './targets.ts';
import { verifyAll } from './verify-all.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Exit codes: wrong before anything was measured, and something failed while measuring. */
const WRONG = 2;
const FAILED = 1;
/** As the shell reports a process that SIGHUP ended. */
const HUNG_UP = 129;
/** The width of a report that goes to no terminal, unless COLUMNS says otherwise. */
const FILE_WIDTH = 160;
const LARGEST_SEED = 2 ** 31 - 1;

async function main(): Promise<number> {
  let request: Request;
  try {
    request = parseArguments(process.argv.slice(2), {
      packages: join(ROOT, 'packages'),
      drawSeed: () => randomInt(LARGEST_SEED),
      write: (text) => process.stdout.write(text),
      writeError: (text) => process.stderr.write(text),
    });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG;
    throw error;
  }
  if (request.command === 'run') return await measureCommand(request.options);
  if (request.command === 'verify') return await verifyCommand(request.options);
  return reportCommand(request.options);
}

async function measureCommand(options: RunOptions): Promise<number> {
  const startedAt = new Date();
  const targets = chooseTargets(options.packages, options.targets, options.suite);
  const machine = await describeMachine(targets);
  const plan = makePlan(options, targets, machine);
  const record = newRecord({ machine, targets, plan }, startedAt);
  const path = options.out ?? join(ROOT, 'results', recordName(startedAt, options.suite));
  await saveRecord(path, record);

  const labels = new Map(targets.map(({ name, label }) => [name, label]));
  const progress = startProgress(process.stderr, plan, labels);
  using interrupts = listenForInterrupts(() => {
    progress.say('Ending after this slice; Ctrl-C again ends at once.');
  });
  let broken = false;
  try {
    await run(record, targets, {
      onLaunch: (launch, group) => progress.launch(launch, group),
      onCell: (cell, purpose) => progress.cell(cell, purpose),
      onFailure: ({ server, message }) => progress.say(`${server} failed: ${message}`),
      onRound: async (round) => {
        progress.table(renderInterim(round, lookOf(process.stderr)));
        await saveRecord(path, round);
      },
      soon: interrupts.soon,
      now: interrupts.now,
    });
  } catch (error) {
    // What was measured before is still worth saving and showing.
    broken = true;
    progress.say(explain(error));
  }
  progress.end();
  let saved = `Saved as ${relative(process.cwd(), path)}`;
  try {
    await saveRecord(path, record);
  } catch (error) {
    broken = true;
    saved = explain(error);
  }
  print(record, options);
  process.stderr.write(`${saved}\n`);
  const interrupted = interrupts.exitCode();
  if (interrupted !== null) return interrupted;
  if (!broken && record.failures.length === 0) return 0;
  return record.slices.length > 0 ? FAILED : WRONG;
}

async function verifyCommand(options: VerifyOptions): Promise<number> {
  const targets = chooseTargets(options.packages, options.targets, null);
  const machine = await describeMachine(targets);
  using interrupts = listenForInterrupts(() => {
    process.stderr.write('Ending after this start; Ctrl-C again ends at once.\n');
  });
  const rows = await verifyAll(options, targets, machine, interrupts);
  process.stdout.write(renderVerification(rows, lookOf(process.stdout)));
  const failed = rows.some(({ outcome }) => outcome.state === 'failed');
  return interrupts.exitCode() ?? (failed ? FAILED : 0);
}

function reportCommand(options: ReportOptions): number {
  print(readRecord(options.file), options);
  return 0;
}

function print(record: RunRecord, { json, details }: { json: boolean; details: boolean }): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(record)}\n`);
    return;
  }
  const summary = summarize(record, readPublished(record.plan.suite));
  process.stdout.write(renderReport(summary, lookOf(process.stdout), { details }));
}

function chooseTargets(
  packages: string,
  names: string[] | null,
  suite: Suite | null,
): LocalTarget[] {
  const all = readTargets(packages);
  const ofSuite = all.filter((target) => suite === null || target.suite === suite);
  const chosen = names === null ? ofSuite : selectTargets(all, names);
  requireBuilt(chosen);
  return chosen;
}

function lookOf(stream: NodeJS.WriteStream): Look {
  const styled = (style: 'bold' | 'dim' | 'red') => (text: string) => {
    return styleText(style, text, { stream });
  };
  const width = stream.isTTY ? stream.columns : Number(process.env.COLUMNS) || FILE_WIDTH;
  return { width, bold: styled('bold'), dim: styled('dim'), warn: styled('red') };
}

function recordName(startedAt: Date, suite: Suite): string {
  return `${startedAt.toISOString().slice(0, 19).replaceAll(':', '-')}-${suite}.json`;
}

process.stderr.on('error', (error) => {
  // Whoever read the progress has gone, as when a terminal hangs up.
  if (codeOf(error) !== 'EPIPE') throw error;
  if (!process.emit('SIGHUP', 'SIGHUP')) process.exit(HUNG_UP);
});
process.stdout.on('error', (error) => {
  // The reader of a pipe, such as `head`, has seen enough.
  if (codeOf(error) === 'EPIPE') process.exit(0);
  throw error;
});

/** An error for the user; one that nobody foresaw with its stack, for a report. */
function explain(error: unknown): string {
  if (error instanceof UserError) return `error: ${error.message}\n${error.next}`;
  const stack = error instanceof Error && error.stack ? error.stack : messageOf(error);
  return `error: ${stack}\nThis is a defect of overhead; please report it with these lines.`;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = error instanceof UserError ? WRONG : FAILED;
}
