/**
 * Runs the fault tests again and again, without retries, beside a program that takes a fifth of a core in bursts:
 * `pnpm test:faults --repeat 20`, with names of files for those alone. Finished rounds are kept in results/faults; one
 * that was cut off is run anew. Prints how often each row of docs/RELIABILITY.md passed, which `--save` writes there
 * and into docs/runs/faults/counts.json. The exit code is 0 where each row passed in its last ten rounds.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import writeFileAtomic from 'write-file-atomic';
import {
  failuresOf,
  isReliable,
  type Round,
  roundSchema,
  summarizeRounds,
  summarySchema,
  TABLE,
  tableOf,
} from './support/fault-rows.ts';

const ROOT = join(import.meta.dirname, '../..');
const RESULTS = join(ROOT, 'results/faults');
const SAVED = join(ROOT, 'docs/runs/faults/counts.json');
const DOCUMENT = join(ROOT, 'docs/RELIABILITY.md');
const OF_HARNESS = ['bench/src', 'bench/test'];
const options = { repeat: { type: 'string' }, save: { type: 'boolean' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const wanted = Number(values.repeat);
if (!Number.isInteger(wanted) || wanted < 0) throw new Error('--repeat takes a whole number');

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** The names of the finished rounds, the oldest first. */
const namesOfRounds = () => globSync('[0-9]*.json', { cwd: RESULTS }).sort();

/** The commit of the harness, with a + where files of it differ. */
async function commitOfHarness(): Promise<string> {
  const git = (...args: string[]) => execa('git', [...args, '--', ...OF_HARNESS], { cwd: ROOT });
  const { stdout: commit } = await git('log', '-1', '--format=%h');
  const { stdout: changes } = await git('status', '--porcelain');
  return changes === '' ? commit : `${commit}+`;
}

/** Runs a round, whether its tests pass or not. @throws when it was cut off. */
async function runRound(filters: string[]): Promise<Round> {
  const output = join(RESULTS, 'running.json');
  rmSync(output, { force: true });
  const commit = await commitOfHarness();
  const program = join(import.meta.dirname, 'support/other-work.mjs');
  const other = execa(process.execPath, [program], { stdio: 'ignore', reject: false });
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
    const args = ['run', '--project', 'faults', '--retry=0', ...reporters, ...filters];
    const { exitCode } = await execa('vitest', args, {
      ...{ cwd: ROOT, stdio: 'inherit', reject: false, preferLocal: true, localDir: ROOT },
    });
    if (![0, 1].includes(exitCode ?? -1) || !existsSync(output)) throw new Error('it was cut off');
    return roundSchema.parse({ commit, filters, exitCode, report: readJson(output) });
  } finally {
    other.kill();
    await other;
    rmSync(output, { force: true });
  }
}

mkdirSync(RESULTS, { recursive: true });
const rounds = namesOfRounds().map((name) => roundSchema.parse(readJson(join(RESULTS, name))));
const isAsked = ({ filters }: Round) => `${filters}` === `${positionals}`;
while (rounds.filter(isAsked).length < wanted) {
  const round = await runRound(positionals);
  rounds.push(round);
  const number = Number.parseInt(namesOfRounds().at(-1) ?? '0', 10) + 1;
  const name = `${number}`.padStart(4, '0');
  await writeFileAtomic(join(RESULTS, `${name}.json`), `${JSON.stringify(round)}\n`);
}

// Without rounds here, those that were saved are shown again.
const isKnown = rounds.length === 0 && existsSync(SAVED);
const summary = isKnown ? summarySchema.parse(readJson(SAVED)) : summarizeRounds(rounds);
const asked = summarizeRounds(rounds.filter(isAsked)).rows.filter(({ last }) => last !== null);
const isOfSome = positionals.length > 0;
const rows = summary.rows.filter(({ row }) => !isOfSome || asked.some((each) => each.row === row));
const { commits, wholeRounds } = summary;
console.log(`\n${tableOf({ ...summary, rows })}\n`);
const which = `${wholeRounds} of them of all files; ${commits.length} commits: ${commits.join(', ')}`;
console.log(`${summary.rounds} rounds, ${which}`);
for (const line of failuresOf({ ...summary, rows })) console.log(line);
if (values.save) {
  await writeFileAtomic(SAVED, `${JSON.stringify(summary, null, 1)}\n`);
  const text = readFileSync(DOCUMENT, 'utf8').replace(TABLE, () => tableOf(summary));
  await writeFileAtomic(DOCUMENT, text);
}
if (!isReliable(rows, wanted)) process.exitCode = 1;
