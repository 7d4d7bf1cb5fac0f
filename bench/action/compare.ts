/**
 * Compares the head of a pull request with its base on this machine, as the environment says; writes a result for
 * the comment, and a summary of the job. It fails only where `FAIL_ON` asks for it.
 */
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import parse from 'string-argv';
import { z } from 'zod';
import { INVALID, SLOWER } from '../src/base/errors.ts';
import { readJson } from '../src/base/files.ts';
import { SRC } from '../src/base/places.ts';
import { recordSchema } from '../src/record/record.ts';
import { commitSchema, readResult, shortHash, textOf, writeResult } from './result.ts';

const environment = z.object({
  /** The checkout of the pull request. */
  GITHUB_WORKSPACE: z.string(),
  GITHUB_STEP_SUMMARY: z.string().optional(),
  BASE: commitSchema,
  HEAD: commitSchema,
  /** The folder of the server in the checkout. */
  SERVER: z.string().default('.'),
  /** One a line. */
  PATHS: z.string().default('/'),
  MAX_TIME: z.string().default('420'),
  EQUIVALENCE: z.string().default('2%'),
  FAIL_ON: z.string().default(''),
  /** More options of the command, as in a shell. */
  OPTIONS: z.string().default(''),
  /** Where the result goes. */
  RESULT: z.string(),
});

const CLI = join(SRC, 'cli.ts');

/** Runs `overhead ab` with these arguments in the checkout: its exit code, and what it said. */
type Ab = (args: string[], cwd: string) => Promise<{ exitCode: number; said: string }>;

const runAb: Ab = async (args, cwd) => {
  const { exitCode = INVALID, stderr } = await execa(process.execPath, [CLI, 'ab', ...args], {
    ...{ cwd, env: { INIT_CWD: cwd }, reject: false, stdin: 'ignore' },
    ...{ stdout: 'inherit', stderr: ['inherit', 'pipe'] },
  });
  return { exitCode, said: stderr };
};

/** Compares, and returns the exit code of the job. @throws where the environment is not as it should be. */
export async function comparePullRequest(env: NodeJS.ProcessEnv, ab: Ab = runAb): Promise<number> {
  const asked = environment.parse(env);
  const { GITHUB_WORKSPACE: cwd, HEAD, SERVER, RESULT } = asked;
  for (const commit of [asked.BASE, HEAD]) await provide(commit, cwd);
  const BASE = await branchedOff(asked.BASE, HEAD, cwd);
  const out = join(RESULT, '..', 'record.json');
  const named = { base: BASE, head: HEAD };
  const given = [
    ...Object.entries(named).flatMap(([name, hash]) => ['--name', `${name} ${shortHash(hash)}`]),
    ...['--out', out, '--max-time', asked.MAX_TIME, '--equivalence', asked.EQUIVALENCE],
    ...linesOf(asked.PATHS).flatMap((path) => ['--path', path]),
    ...(asked.FAIL_ON === '' ? [] : ['--fail-on', asked.FAIL_ON]),
    ...parse(asked.OPTIONS),
  ];
  const sides = [BASE, HEAD].map((commit) => `${SERVER}@${commit}`);
  const { exitCode, said } = await ab([...sides, ...given], cwd);
  const record = existsSync(out) ? readJson(out, [recordSchema]) : null;
  writeResult(RESULT, { head: HEAD, exitCode, said, record });
  const { GITHUB_STEP_SUMMARY: summary } = asked;
  if (summary !== undefined) appendFileSync(summary, `${textOf(readResult(RESULT))}\n`);
  return exitCode === SLOWER ? SLOWER : 0;
}

/** A shallow checkout lacks the base: fetches a commit that is not there. What can't be had, `ab` says. */
async function provide(commit: string, cwd: string): Promise<void> {
  const git = (args: string[]) => execa('git', args, { cwd, reject: false });
  const { exitCode } = await git(['cat-file', '-e', `${commit}^{commit}`]);
  if (exitCode !== 0) await git(['fetch', '--no-tags', '--depth=1', 'origin', commit]);
}

/** Where a head branched off, so that what came to the base since is on neither side; the base where nobody can say. */
async function branchedOff(base: string, head: string, cwd: string): Promise<string> {
  const { stdout, failed } = await execa('git', ['merge-base', base, head], { cwd, reject: false });
  return failed ? base : stdout.trim();
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

if (import.meta.main) process.exitCode = await comparePullRequest(process.env);
