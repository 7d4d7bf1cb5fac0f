/** The comparison of a pull request in a temporary repository, up to the text of the comment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { readResult, textOf } from '../../action/result.ts';
import { ROOT } from '../../src/base/places.ts';
import { TINY } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const place = ownPlace();

/** A server that does this much work for each request. */
const working = (rounds: number) => `import { createServer } from 'node:http';
createServer((request, response) => {
  let sum = 0;
  for (let round = 0; round < ${rounds}; round++) sum = (sum + round * round) % 1_000_003;
  response.end(String(sum).slice(0, 1));
}).listen(process.env.PORT);
`;

type Files = Record<string, unknown>;
const MANIFEST = { name: 'app', private: true, type: 'module' };
const START = { start: 'node server.js' };
const BASE: Files = {
  'server.js': working(20_000),
  'package.json': { ...MANIFEST, scripts: START },
};

/** Compares two commits, and returns the result and the summary of the job. */
async function compare(base: Files, head: Files, maxTime = '1') {
  using folder = temporaryFolder();
  const repository = join(folder.path, 'repo');
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=one', '-c', 'user.email=one@example.com'];
    return execa('git', [...identity, ...args], { cwd: repository });
  };
  const commit = async (files: Files) => {
    for (const [name, content] of Object.entries(files)) folder.write(`repo/${name}`, content);
    await git('add', '--all');
    await git('commit', '--message', 'change');
    return (await git('rev-parse', 'HEAD')).stdout;
  };
  folder.write('repo/README', 'A server.');
  await git('init', '--quiet');
  const commits = { BASE: await commit(base), HEAD: await commit(head) };
  const RESULT = join(folder.path, 'overhead.json');
  const summary = join(folder.path, 'summary.md');
  const inputs = { RESULT, ...commits, MAX_TIME: maxTime, OPTIONS: TINY };
  const github = { GITHUB_WORKSPACE: repository, GITHUB_STEP_SUMMARY: summary };
  const { exitCode } = await execa(process.execPath, [join(ROOT, 'bench/action/compare.ts')], {
    cwd: ROOT,
    env: { ...place.environment, ...github, ...inputs },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  // The user's tree has not changed, and no result makes the job fail.
  const tree = (await git('status', '--porcelain')).stdout;
  expect({ exitCode, tree }).toEqual({ exitCode: 0, tree: '' });
  return { result: readResult(RESULT), text: readFileSync(summary, 'utf8') };
}

test("a commit that needs twice the base's CPU is never called faster or the same", async () => {
  const { result, text } = await compare(BASE, { ...BASE, 'server.js': working(40_000) }, '20');
  expect(result.record?.slices.length).toBeGreaterThan(0);
  expect(textOf(result)).toBe(text.trimEnd());
  expect(text).toMatch(/Measured on .* cores/);
  expect(text).toMatch(/\| GET \/ \|.*\| (slower|can't tell)/);
});

const BUILT = { ...MANIFEST, scripts: { ...START, build: 'node build.js' } };
test.for<[string, Files, RegExp]>([
  ['a head that does not build', { 'package.json': BUILT }, /build/],
  ['a head that no longer starts', { 'server.js': 'throw new Error("gone")' }, /gone/],
])('%s is reported, and does not fail the job', async ([, changed, said]) => {
  const { result, text } = await compare(BASE, { ...BASE, ...changed });
  expect(result.exitCode).not.toBe(0);
  expect(result.said).toMatch(said);
  expect(text).toMatch(said);
});
