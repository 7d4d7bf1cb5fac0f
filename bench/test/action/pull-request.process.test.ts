/** The comparison of a pull request, but for its run, and the comment on it, with a fake of GitHub's API. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { commentPullRequest } from '../../action/comment.ts';
import { comparePullRequest } from '../../action/compare.ts';
import { readResult, writeResult } from '../../action/result.ts';
import { serveHere } from '../load/servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HEAD = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const FORK = 'somebody/project';
const MARK = '<!-- overhead: pull request -->';
const BOT = { login: 'github-actions[bot]' };

interface Comment {
  id: number;
  body: string;
  user: { login: string };
}

async function answer(pulls: object[], comments: Comment[], request: IncomingMessage) {
  const { method, url = '' } = request;
  if (url.includes('/pulls?')) return pulls;
  if (method === 'GET') return comments;
  const { body } = Object(await json(request));
  const id = Number(/comments\/(\d+)$/.exec(url)?.[1] ?? 100);
  const place = comments.findIndex((each) => each.id === id);
  comments.splice(place === -1 ? comments.length : place, 1, { id, body, user: BOT });
  return comments.find((each) => each.id === id);
}

function pull(number: number, sha = HEAD, full_name = FORK) {
  return { number, state: 'open', head: { sha, repo: { full_name } } };
}

interface Case {
  pulls?: object[];
  comments?: Comment[];
  /** The artifact as it is; otherwise it holds what the comparison `said`. */
  artifact?: string;
  said?: string;
  event?: string;
}

async function comment({ pulls = [pull(7)], comments = [], ...given }: Case = {}) {
  using folder = temporaryFolder();
  const { artifact, said = 'the build of the head failed', event = 'pull_request' } = given;
  const result = folder.write('overhead.json', artifact ?? '');
  if (artifact === undefined) writeResult(result, { head: HEAD, exitCode: 1, said, record: null });
  const head_repository = { full_name: FORK, owner: { login: 'somebody' } };
  const run = { event, head_sha: HEAD, head_branch: 'mine & yours', head_repository };
  const requests: string[] = [];
  await using server = await serveHere(async (response, request) => {
    requests.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await answer(pulls, comments, request)));
  });
  const became = await commentPullRequest({
    GITHUB_API_URL: server.origin,
    GITHUB_REPOSITORY: 'owner/project',
    GITHUB_EVENT_PATH: folder.write('event.json', { workflow_run: run }),
    GITHUB_TOKEN: 'token',
    RESULT: result,
  });
  return { became, comments, requests, body: comments[0]?.body.replace(MARK, '') ?? '' };
}

test('a pull request is looked up by head commit and repository, and commented', async () => {
  const { became, comments, requests, body } = await comment();
  expect(became).toBe('Commented pull request 7.');
  expect(requests[0]).toBe(
    'GET /repos/owner/project/pulls?state=open&head=somebody%3Amine%20%26%20yours&per_page=100',
  );
  expect(comments).toMatchObject([{ body: expect.stringContaining(MARK) }]);
  expect(body).toContain('    the build of the head failed');
});

test('a later run replaces its own comment only', async () => {
  const mine = { id: 2, body: `${MARK}\nold`, user: BOT };
  const theirs = { id: 1, body: `${MARK}\nmine`, user: { login: 'somebody' } };
  const { became, comments } = await comment({ comments: [theirs, mine] });
  expect(became).toBe('Replaced the comment of pull request 7.');
  expect(comments).toMatchObject([theirs, { id: 2, body: expect.stringContaining('build') }]);
});

test.for<[string, Case]>([
  ['where no pull request is open at that commit', { pulls: [] }],
  ['where its head has moved on', { pulls: [pull(7, OTHER)] }],
  ['where it is of another repository', { pulls: [pull(7, HEAD, 'else/project')] }],
  ['where there are two', { pulls: [pull(7), pull(8)] }],
  ['for a run that was for no pull request', { event: 'push' }],
])('there is no comment %s', async ([, given]) => {
  const { became, comments } = await comment(given);
  expect(became).toMatch(/^(No comment|Nothing to comment)/);
  expect(comments).toEqual([]);
});

const RESULT = { schema: 'overhead.pull-request', version: 1, exitCode: 0, said: '', record: null };

test.for([
  ['that is no JSON', '{'],
  ['that is something else', '{"schema":"<script>","head":"@all"}'],
  ['that is too large', ' '.repeat(31e6)],
  ['of another commit', JSON.stringify({ ...RESULT, head: OTHER })],
])('an artifact %s is reported as no result', async ([, artifact = '']) => {
  const { body } = await comment({ artifact });
  expect(body).toContain('No result for aaaaaaaaaa');
  expect(body).not.toMatch(/[<@]/);
});

test('a hostile artifact calls nobody, links nowhere, and is no HTML', async () => {
  const said =
    '@everyone\n```\n</pre><img src=https://evil.example/x>\n[a](https://evil.example)\n';
  const { body } = await comment({ said: said.repeat(1000) });
  expect(body).not.toMatch(/@\w|<|:\/\//);
  const evil = body.split('\n').filter((line) => line.includes('evil'));
  expect(evil).not.toEqual([]);
  for (const line of evil) expect(line).toMatch(/^ {4}/);
  expect(body.length).toBeLessThan(65_536);
});

async function compare(exitCode: number, env: Record<string, string> = {}) {
  using folder = temporaryFolder();
  let asked: string[] = [];
  const GITHUB_STEP_SUMMARY = join(folder.path, 'summary.md');
  const RESULT = join(folder.path, 'result.json');
  const places = { GITHUB_WORKSPACE: folder.path, GITHUB_STEP_SUMMARY, RESULT };
  const code = await comparePullRequest({ ...places, BASE: OTHER, HEAD, ...env }, async (args) => {
    asked = args;
    return { exitCode, said: 'what it said' };
  });
  const summary = readFileSync(GITHUB_STEP_SUMMARY, 'utf8');
  return { code, asked, line: asked.join(' '), summary, result: readResult(RESULT) };
}

test('both commits of the server are compared on every path, with short names', async () => {
  const env = { SERVER: 'apps/one', PATHS: '/\n  /users/1\n', OPTIONS: "-c 10 --env 'A=b c'" };
  const { asked, line, result } = await compare(0, env);
  expect(asked.slice(0, 2)).toEqual([`apps/one@${OTHER}`, `apps/one@${HEAD}`]);
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
