/**
 * Comments a pull request with the result of a comparison, from a `workflow_run` event: in a job that may write, and
 * runs nothing of the pull request. The result is anybody's text; whose pull request it is, GitHub says.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../src/base/errors.ts';
import { commitSchema, readResult, shortHash, textOf } from './result.ts';

const environment = z.object({
  GITHUB_API_URL: z.url(),
  GITHUB_REPOSITORY: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  GITHUB_EVENT_PATH: z.string(),
  GITHUB_TOKEN: z.string(),
  RESULT: z.string(),
});

const eventSchema = z.object({
  workflow_run: z.object({
    event: z.string(),
    head_sha: commitSchema,
    head_branch: z.string(),
    head_repository: z.object({ full_name: z.string(), owner: z.object({ login: z.string() }) }),
  }),
});
type Run = z.infer<typeof eventSchema>['workflow_run'];

const pullsSchema = z.array(
  z.object({
    number: z.int(),
    state: z.string(),
    head: z.object({ sha: z.string(), repo: z.object({ full_name: z.string() }).nullable() }),
  }),
);
const commentsSchema = z.array(
  z.object({ id: z.int(), body: z.string(), user: z.object({ login: z.string() }).nullable() }),
);

/** Marks the comment that a later run replaces. */
const MARK = '<!-- overhead: pull request -->';
/** Who comments with the token of a job. */
const AUTHOR = 'github-actions[bot]';
const PER_PAGE = 100;

/** Comments, and returns what became of it in a sentence. @throws where GitHub refuses or the event is another one. */
export async function commentPullRequest(env: NodeJS.ProcessEnv): Promise<string> {
  const { GITHUB_REPOSITORY: repository, RESULT, ...asked } = environment.parse(env);
  const { workflow_run: run } = eventSchema.parse(
    JSON.parse(readFileSync(asked.GITHUB_EVENT_PATH, 'utf8')),
  );
  if (run.event !== 'pull_request') return `Nothing to comment: the run was for ${run.event}.`;
  const api = apiOf(asked);
  const number = await pullRequestOf(run, repository, api);
  if (number === null)
    return `No comment: not exactly one open pull request is at ${run.head_sha}.`;
  const body = `${MARK}\n${bodyOf(RESULT, run)}`;
  const comments = `/repos/${repository}/issues/${number}/comments`;
  const earlier = await earlierComment(comments, api);
  if (earlier === null) await api('POST', comments, z.unknown(), { body });
  else await api('PATCH', `/repos/${repository}/issues/comments/${earlier}`, z.unknown(), { body });
  return `${earlier === null ? 'Commented' : 'Replaced the comment of'} pull request ${number}.`;
}

function bodyOf(path: string, { head_sha }: Run): string {
  try {
    const result = readResult(path);
    if (result.head !== head_sha) throw new Error('the result is of another commit');
    return textOf(result);
  } catch (error) {
    const why = messageOf(error).replaceAll(/[^\w .,:'-]/g, ' ');
    return `# overhead\n\nNo result for ${shortHash(head_sha)}: ${why}.`;
  }
}

/** The one open pull request whose head is what was measured; null where there is none, or more than one. */
async function pullRequestOf(run: Run, repository: string, api: Api): Promise<number | null> {
  const { head_sha, head_branch, head_repository } = run;
  const head = encodeURIComponent(`${head_repository.owner.login}:${head_branch}`);
  const path = `/repos/${repository}/pulls?state=open&head=${head}&per_page=${PER_PAGE}`;
  const found = (await api('GET', path, pullsSchema)).filter((pull) => {
    const isSame = pull.head.repo?.full_name === head_repository.full_name;
    return isSame && pull.state === 'open' && pull.head.sha === head_sha;
  });
  const [only] = found;
  return found.length === 1 && only !== undefined ? only.number : null;
}

async function earlierComment(path: string, api: Api): Promise<number | null> {
  for (let page = 1; ; page++) {
    const some = await api('GET', `${path}?per_page=${PER_PAGE}&page=${page}`, commentsSchema);
    const own = some.find(({ body, user }) => user?.login === AUTHOR && body.startsWith(MARK));
    if (own !== undefined) return own.id;
    if (some.length < PER_PAGE) return null;
  }
}

type Api = <T>(method: string, path: string, schema: z.ZodType<T>, body?: object) => Promise<T>;

function apiOf(env: { GITHUB_API_URL: string; GITHUB_TOKEN: string }): Api {
  return async (method, path, schema, body) => {
    const response = await fetch(`${env.GITHUB_API_URL}${path}`, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${env.GITHUB_TOKEN}`,
        'x-github-api-version': '2022-11-28',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new Error(`GitHub answered ${response.status} to ${method} ${path.split('?')[0]}`);
    }
    return schema.parse(await response.json());
  };
}

if (import.meta.main) console.log(await commentPullRequest(process.env));
