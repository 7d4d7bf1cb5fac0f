/** The only file that knows npm's command line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { codeOf, UserError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';

const OPTIONS = [
  ...['--json', '--loglevel=error', '--no-update-notifier', '--no-audit', '--no-fund'],
  // A registry that does not answer is reported soon.
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000'],
];

/** What npm prints with --json if it fails. */
const failureSchema = z.object({
  error: z.object({ code: z.string().nullish(), summary: z.string().nullish() }),
});
/** One version, or all that fit, in any order. */
const versionsSchema = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const EXCERPT_LENGTH = 100;

/** The registry does not answer. */
export class NoRegistry extends UserError {}

/** The newest version for a range or tag. @throws UserError, which names `what`, if there is none; NoRegistry. */
export async function newestVersion(
  name: string,
  range: string,
  what: string,
  signal: AbortSignal,
): Promise<string> {
  const wanted = `${name}@${range}`;
  const words = ['view', wanted, 'version'];
  const newest = newestIn(await npm(words, process.cwd(), `look up ${wanted}`, signal));
  if (newest !== null) return newest;
  throw new UserError(
    `there is no ${what} in the npm registry`,
    `See which versions there are with \`npm view ${name} versions\`.`,
  );
}

/** The newest of these versions; null without any. */
export function newestOf(versions: readonly string[]): string | null {
  return versions.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))[0] ?? null;
}

/** The newest of the versions that npm prints; null if it prints none. @throws UserError for other output. */
export function newestIn(printed: string): string | null {
  const versions = parseJson(printed.trim() || '[]', versionsSchema);
  if (versions === null) {
    throw new UserError(
      `npm printed ${JSON.stringify(printed.slice(0, EXCERPT_LENGTH))} instead of versions`,
      'See what `npm view node version --json` prints here.',
    );
  }
  return newestOf(versions);
}

/** Installs what a manifest depends on, without running its scripts. @throws UserError if npm fails; NoRegistry. */
export async function installInto(
  folder: string,
  manifest: object,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const args = [
    ...['install', '--prefix', folder, '--omit=dev', '--ignore-scripts', '--no-save'],
    // Packs a checkout as for the registry, and installs its dependencies.
    ...['--install-links', '--no-package-lock', '--no-workspaces'],
  ];
  await npm(args, folder, `install ${what}`, signal);
}

const OUT_OF_REACH = [
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ENETUNREACH', 'EHOSTUNREACH'],
  ...['ETIMEDOUT', 'ERR_SOCKET_TIMEOUT', 'FETCH_ERROR', 'EIDLETIMEOUT', 'ENOTCACHED'],
];

/** npm's output; empty for `npm view` of an unknown package. `doing` is the purpose, as `install …`. */
async function npm(args: string[], cwd: string, doing: string, signal: AbortSignal) {
  const options = { cwd, stdin: 'ignore', cancelSignal: signal, reject: false } as const;
  const result = await execa('npm', [...args, ...OPTIONS], options);
  signal.throwIfAborted();
  const { stdout = '', stderr = '', cause } = result;
  if (!result.failed) return stdout;
  if (codeOf(cause) === 'ENOENT') {
    throw new UserError(
      'npm, which fetches runtimes and packages, is not on the PATH',
      'Install npm; it comes with Node.',
      { cause },
    );
  }
  const { code, summary } = failureIn(stdout, stderr);
  const isView = args[0] === 'view';
  if (isView && code === 'E404') return '';
  if (OUT_OF_REACH.includes(code)) {
    const byHand = isView ? `npm view ${args[1]}` : 'npm ping';
    throw new NoRegistry(
      `can't ${doing}: the npm registry is not within reach (${code})`,
      `See that the registry that npm is configured with answers \`${byHand}\`, and run again.`,
    );
  }
  throw new UserError(
    `can't ${doing}: npm failed with ${code}: ${summary.split('\n')[0]}`,
    'Fix the problem that npm reports, and run again.',
  );
}

/** npm's error: JSON on stdout, or lines on stderr if it fails early. */
export function failureIn(stdout: string, stderr: string): { code: string; summary: string } {
  const { error } = parseJson(stdout, failureSchema) ?? {};
  const { code, summary } = error ?? { code: null, summary: stderr.trim().split('\n').at(-1) };
  return { code: code ?? 'an error', summary: summary ?? '' };
}
