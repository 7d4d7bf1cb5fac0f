/** The only file that knows npm's command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { codeOf, UserError } from '../base/errors.ts';

/** A registry that does not answer is told of within seconds. */
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000'];
const QUIET = ['--json', '--loglevel=error', '--no-update-notifier', '--no-audit', '--no-fund'];

/** What npm prints with --json where it fails. */
const failureSchema = z.object({
  error: z.object({ code: z.string().nullish(), summary: z.string().nullish() }),
});
/** One version, or all that fit, in no order that is promised. */
const versionsSchema = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

/** So much of what npm prints is told. */
const EXCERPT = 100;

/** Nobody answered. */
export class NoRegistry extends UserError {}

const newestFirst = new Intl.Collator('en', { numeric: true });

/**
 * The newest version of a package that fits a range, such as `4` or `^4.1`, or that a tag names.
 * @param what that is, in words
 * @throws UserError where there is none, `NoRegistry` where nobody answered.
 */
export async function newestVersion(
  name: string,
  range: string,
  what: string,
  signal: AbortSignal,
): Promise<string> {
  const wanted = `${name}@${range}`;
  const outcome = await npm(['view', wanted, 'version'], process.cwd(), signal);
  const isThere = outcome.code !== 'E404';
  if (isThere && outcome.code !== null) {
    throw failed(`look up ${wanted}`, outcome, `npm view ${wanted}`);
  }
  const newest = isThere ? newestIn(outcome.stdout) : null;
  if (newest !== null) return newest;
  throw new UserError(
    `there is no ${what} in the npm registry`,
    `See which versions there are with \`npm view ${name} versions\`.`,
  );
}

/** The newest of the versions that npm prints; null where it prints none. @throws UserError for what are none. */
export function newestIn(stdout: string): string | null {
  if (stdout.trim() === '') return null;
  try {
    const versions = versionsSchema.parse(JSON.parse(stdout));
    return versions.toSorted((a, b) => newestFirst.compare(b, a))[0] ?? null;
  } catch (cause) {
    throw new UserError(
      `npm printed ${JSON.stringify(stdout.slice(0, EXCERPT))} in place of versions`,
      'See what `npm view node version --json` prints here.',
      { cause },
    );
  }
}

/**
 * Installs what a manifest depends on into a folder, with no script of any package run; `what` says that
 * in words.
 * @throws UserError where npm can't, `NoRegistry` where nobody answered.
 */
export async function installInto(
  folder: string,
  manifest: object,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const args = ['install', '--prefix', folder, '--omit=dev', '--ignore-scripts', '--no-save'];
  // A checkout is packed as the registry would have it, with dependencies of its own.
  args.push('--install-links');
  const outcome = await npm([...args, '--no-package-lock', '--no-workspaces'], folder, signal);
  if (outcome.code !== null) throw failed(`install ${what}`, outcome);
}

interface Outcome {
  stdout: string;
  /** npm's own name of what went wrong; null where nothing did. */
  code: string | null;
  summary: string;
}

async function npm(args: string[], cwd: string, signal: AbortSignal): Promise<Outcome> {
  const result = await execa('npm', [...args, ...QUIET, ...PATIENCE], {
    cwd,
    stdin: 'ignore',
    cancelSignal: signal,
    reject: false,
  });
  signal.throwIfAborted();
  const { stdout = '', stderr = '' } = result;
  if (!result.failed) return { stdout, code: null, summary: '' };
  if (codeOf(result.cause) === 'ENOENT') {
    throw new UserError(
      'there is no npm on the PATH, which fetches runtimes and packages',
      'Install npm; it comes with Node.',
      { cause: result.cause },
    );
  }
  return { stdout, ...whyOf(stdout, stderr) };
}

/** What npm says of its failure: JSON on stdout, or lines on stderr where it fails early. */
export function whyOf(stdout: string, stderr: string): Pick<Outcome, 'code' | 'summary'> {
  try {
    const { error } = failureSchema.parse(JSON.parse(stdout));
    return { code: error.code ?? 'an error', summary: error.summary ?? '' };
  } catch {
    return { code: 'an error', summary: stderr.trim().split('\n').at(-1) ?? '' };
  }
}

/** What npm calls a registry that is not within reach. */
const OUT_OF_REACH = [
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ENETUNREACH', 'EHOSTUNREACH'],
  ...['ETIMEDOUT', 'ERR_SOCKET_TIMEOUT', 'FETCH_ERROR', 'EIDLETIMEOUT', 'ENOTCACHED'],
];

/** `byHand` shows the same without the harness. */
function failed(what: string, { code, summary }: Outcome, byHand = 'npm ping'): UserError {
  const [line = ''] = summary.split('\n');
  return OUT_OF_REACH.includes(code ?? '')
    ? new NoRegistry(
        `can't ${what}: the npm registry is not within reach (${code})`,
        `See that the registry that npm is configured with answers \`${byHand}\`, and run again.`,
      )
    : new UserError(
        `can't ${what}: npm failed with ${code}: ${line}`,
        'Correct what npm complains of, and run again.',
      );
}
