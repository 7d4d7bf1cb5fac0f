/** The arguments and the exit code of a comparison of a pull request. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { comparePullRequest } from '../../action/compare.ts';
import { readResult } from '../../action/result.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BASE = 'b'.repeat(40);
const HEAD = 'a'.repeat(40);

async function compare(exitCode: number, env: Record<string, string> = {}) {
  using folder = temporaryFolder();
  let asked: string[] = [];
  const GITHUB_STEP_SUMMARY = join(folder.path, 'summary.md');
  const RESULT = join(folder.path, 'result.json');
  const places = { GITHUB_WORKSPACE: folder.path, GITHUB_STEP_SUMMARY, RESULT };
  const code = await comparePullRequest({ ...places, BASE, HEAD, ...env }, async (args) => {
    asked = args;
    return { exitCode, said: 'what it said' };
  });
  const summary = readFileSync(GITHUB_STEP_SUMMARY, 'utf8');
  return { code, asked, line: asked.join(' '), summary, result: readResult(RESULT) };
}

test('both commits of the server are compared on every path, with short names', async () => {
  const env = { SERVER: 'apps/one', PATHS: '/\n  /users/1\n', OPTIONS: "-c 10 --env 'A=b c'" };
  const { asked, line, result } = await compare(0, env);
  expect(asked.slice(0, 2)).toEqual([`apps/one@${BASE}`, `apps/one@${HEAD}`]);
  expect(line).toContain('--name base bbbbbbbbbb --name head aaaaaaaaaa');
  expect(line).toContain('--path / --path /users/1');
  expect(asked.slice(-4)).toEqual(['-c', '10', '--env', 'A=b c']);
  expect(line).not.toContain('--fail-on');
  expect(result).toMatchObject({ head: HEAD, exitCode: 0, record: null });
});

test.each([
  ['passes where a side could not be measured', 1, 0],
  ['passes where nothing could be measured', 2, 0],
  ['fails where it is asked to, and the head is slower', 3, 3],
])('the job %s', async (_name, exitCode, expected) => {
  const { code, line, summary } = await compare(exitCode, { FAIL_ON: 'slower=3%' });
  expect(code).toBe(expected);
  expect(line).toContain('--fail-on slower=3%');
  expect(summary).toContain('aaaaaaaaaa');
});

test('what is no commit is refused before anything is run', async () => {
  await expect(compare(0, { BASE: '--upload-pack=x' })).rejects.toThrow('full hash');
});
