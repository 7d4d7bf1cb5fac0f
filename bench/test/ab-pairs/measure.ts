/**
 * Measures all pairs with `ab` and with autocannon, beside a program that takes a fifth of a core in bursts. Each outcome
 * is saved at once, so that this can be interrupted and continued: node bench/test/ab-pairs/measure.ts
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import getPort from 'get-port';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { messageOf } from '../../src/base/errors.ts';
import { readJson } from '../../src/base/files.ts';
import { pointOf } from '../../src/math/statistics.ts';
import { type RunRecord, recordSchema } from '../../src/record/record.ts';
import { type AbRow, summarizeAb } from '../../src/summary/ab.ts';
import { summarize } from '../../src/summary/summary.ts';
import { type Framework, type Outcome, outcomesSchema, PAIRS, type Pair, tally } from './pairs.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../../..');
const RESULTS = join(ROOT, 'results/ab-pairs');
const OUTCOMES = join(ROOT, 'docs/runs/ab-pairs/outcomes.json');
const CLI = join(ROOT, 'bench/src/cli.ts');
const USUAL_S = 10;
/** They cost some 10 to 16 µs. */
const MANY_TURNS = 10_000;
const CALIBRATION_S = 120;
const START_MS = 30_000;

const loadedSchema = z.object({ requests: z.object({ average: z.number() }) });
const calibrationSchema = z.record(z.string(), z.number());

/** The command of a server of a pair: a copy of `server.mjs`, in the second with another comment. */
function commandOf(side: 'first' | 'second', framework: Framework, turns: number): string {
  const own = readFileSync(join(HERE, 'server.mjs'), 'utf8');
  const text = side === 'first' ? own : own.replaceAll(/^\/\/ .*$/gm, '// Changed: a comment.');
  const file = join(RESULTS, `${side}.mjs`);
  writeFileSync(file, text);
  return `node ${file} ${framework} ${turns}`;
}

/** Runs `ab`, and returns the record, which is saved under this name. */
async function ab(commands: readonly string[], seed: number, maxTimeS: number, name: string) {
  const out = join(RESULTS, `${name}.json`);
  const options = ['--seed', `${seed}`, '--max-time', `${maxTimeS}`, '--out', out];
  const { exitCode } = await execa(process.execPath, [CLI, 'ab', ...commands, ...options], {
    ...{ cwd: ROOT, env: { INIT_CWD: ROOT }, reject: false },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (exitCode !== 0) throw new Error(`ab ended with code ${exitCode}`);
  return readJson(out, [recordSchema]);
}

function rowOf(record: RunRecord): AbRow {
  const [row] = summarizeAb(summarize(record))?.rows ?? [];
  if (row === undefined) throw new Error('nothing was measured');
  return row;
}

/** The turns of known work that take this share of the CPU time of a request; measured once for each framework. */
async function turnsFor(framework: Framework, share: number): Promise<number> {
  if (share === 0) return 0;
  const file = join(RESULTS, 'calibration.json');
  const known = savedIn(file, calibrationSchema);
  const found = known[framework] ?? (await calibrate(framework));
  await writeFileAtomic(file, JSON.stringify({ ...known, [framework]: found }));
  return Math.round(found * share);
}

/** The turns that take as much CPU time as a request: by what many of them add to one, in a server under load. */
async function calibrate(framework: Framework): Promise<number> {
  const commands = [commandOf('first', framework, 0), commandOf('second', framework, MANY_TURNS)];
  const { cpu } = rowOf(await ab(commands, 1, CALIBRATION_S, `calibration-${framework}`));
  const more = pointOf(cpu.difference);
  if (more === null) throw new Error(`${framework} was not measured`);
  return MANY_TURNS / more;
}

/** Requests/s of one server, alone, for ten seconds. */
async function usualWay(command: string): Promise<number> {
  const port = await getPort();
  const [, ...args] = command.split(' ');
  await using _server = startNode(args, { PORT: `${port}`, HOST: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}/`;
  const deadline = performance.now() + START_MS;
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (performance.now() > deadline) throw new Error(`${command} does not answer`);
    await sleep(50);
  }
  const autocannon = join(ROOT, 'bench/node_modules/.bin/autocannon');
  const { stdout } = await execa(autocannon, ['-j', '-c', '100', '-d', `${USUAL_S}`, url]);
  return loadedSchema.parse(JSON.parse(stdout)).requests.average;
}

/** A process that ends with its scope, on the Node of this one as in `ab`, whatever the PATH has. */
function startNode(args: string[], env: Record<string, string> = {}) {
  const child = execa(process.execPath, args, { cwd: ROOT, env, stdio: 'ignore', reject: false });
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child;
    },
  };
}

async function measure({ id, framework, more, seed, maxTimeS }: Pair): Promise<Outcome> {
  await using _others = startNode([join(HERE, '../support/other-work.mjs')]);
  const turns = await turnsFor(framework, more);
  const first = commandOf('first', framework, 0);
  const second = commandOf('second', framework, turns);
  const record = await ab([first, second], seed, maxTimeS, `${id}-run`);
  const row = rowOf(record);
  return {
    verdict: row.verdict,
    launches: record.plan.launches.length,
    wallS: record.wallNs / 1e9,
    cpuModel: record.machine.cpuModel,
    found: pointOf(row.cpu.difference),
    usual: { first: await usualWay(first), second: await usualWay(second) },
  };
}

/** What is saved there, by name; nothing before the first. */
function savedIn<Found>(file: string, schema: z.ZodType<Record<string, Found>>) {
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

mkdirSync(RESULTS, { recursive: true });
mkdirSync(dirname(OUTCOMES), { recursive: true });
const outcomes = savedIn(OUTCOMES, outcomesSchema);
for (const pair of PAIRS) {
  try {
    if (outcomes[pair.id] === undefined) {
      outcomes[pair.id] = await measure(pair);
      await writeFileAtomic(OUTCOMES, `${JSON.stringify(outcomes, null, 2)}\n`);
    }
    process.stdout.write(`${pair.id} ${pair.framework}: ${JSON.stringify(outcomes[pair.id])}\n`);
  } catch (error) {
    // It is measured when this runs again.
    process.exitCode = 1;
    process.stdout.write(`${pair.id} ${pair.framework}: ${messageOf(error)}\n`);
  }
}
for (const line of tally(outcomes)) process.stdout.write(`${line}\n`);
