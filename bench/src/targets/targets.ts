import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { codeOf, messageOf, UserError } from '../base/errors.ts';
import { standing } from '../base/places.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { benchBlock, COMMON, exchangesOf, requireSeedFiles } from './block.ts';
import { exchangeSchema, HTTP_METHODS, textExchange } from './exchange.ts';
import { equipped, requireNeeds } from './needs.ts';
import { related } from './related.ts';
import { type LocalRuntime, runtimeSchema } from './runtime.ts';

/** In place of names: every target there is. */
const ALL = 'all';

const normalSchema = z.object({
  ...COMMON,
  /** The folder's name, which is the target's name everywhere. */
  name: z.string().min(1),
  label: z.string().min(1),
  /** What it is sent, and what it answers. */
  requests: z.array(exchangeSchema).min(1),
  /** What runs it in place of `node`; null is the Node that runs the harness. */
  runtime: runtimeSchema.nullable().default(null),
  /** The cores' worth of CPU time that all its processes have together; null without a limit. */
  cpuLimit: z.number().positive().nullable(),
});

const shortSchema = z.looseObject({
  request: z.object({ method: z.enum(HTTP_METHODS), path: z.string() }),
  expect: z.object({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
});

/** Older records have one request and its answer, as text. */
export const targetSchema = z.preprocess((saved: unknown) => {
  const short = shortSchema.safeParse(saved);
  if (!short.success) return saved;
  const { request, expect, ...rest } = short.data;
  return { ...rest, requests: [textExchange(request, expect)] };
}, normalSchema);

/** A server under test, as its `package.json` declares it. */
export type Target = z.infer<typeof targetSchema>;

/** What nothing is said about. */
export const TARGET_DEFAULTS = {
  suite: null,
  over: null,
  variantOf: null,
  variant: null,
  needs: [],
  build: null,
  cwd: '.',
  env: {},
  services: {},
  scale: { by: 'processes' },
  port: null,
  fixedPort: null,
  runtime: null,
  cpuLimit: null,
  passed: {},
  hidesRequests: false,
  external: null,
} satisfies Partial<LocalTarget>;

/** A target on this machine. */
export interface LocalTarget extends Target {
  /** Its folder, absolute. */
  directory: string;
  /** What else its server has in its environment; it may be secret, so no record has it. */
  passed: Record<string, string>;
  /** No record has the headers and bodies of its requests: they were given on the command line. */
  hidesRequests: boolean;
  /** Where it listens, and its processes, where somebody else has started it; null where we do. */
  external: { origin: string; pids: readonly number[] } | null;
  runtime: LocalRuntime | null;
}

/**
 * Reads every target: the folders of `directory`, which is named from where the user stands on, whose
 * `package.json` has a `bench` block, by name.
 * @throws UserError for a folder that can't be read, a malformed block (it names the file, the key
 * and what is allowed), an unknown `over` or `variantOf`, or no target at all.
 */
export function readTargets(directory: string): LocalTarget[] {
  const from = resolve(standing(), directory);
  const targets = folders(from).flatMap((name) => readTarget(from, name));
  if (targets.length === 0) {
    throw new UserError(
      `no target in ${from}`,
      'Add a folder whose package.json has a "bench" block; docs/SERVERS.md shows one.',
    );
  }
  requireOwnNames(targets);
  return related(targets);
}

/** @throws UserError where a variant has the name of another target. */
function requireOwnNames(targets: readonly Pick<LocalTarget, 'name' | 'directory'>[]): void {
  const byName = Map.groupBy(targets, ({ name }) => name);
  const twice = [...byName.values()].find(({ length }) => length > 1);
  if (twice === undefined) return;
  const [first, second] = twice.map(({ directory }) => join(directory, 'package.json'));
  throw new UserError(
    `"${twice[0]?.name}" is a target of ${first} and of ${second}`,
    'Give one of them another name; that of a folder is its own.',
  );
}

/**
 * The targets of these names, in the order of `targets`.
 * @throws UserError for a name that is no target's.
 */
export function selectTargets(targets: LocalTarget[], names: string[]): LocalTarget[] {
  for (const name of names) {
    if (targets.some((target) => target.name === name)) continue;
    const known = targets.map((target) => target.name).join(', ');
    const missingBlock = targets[0] && existsSync(join(targets[0].directory, '..', name));
    throw new UserError(
      missingBlock ? `${name} has no "bench" block` : `unknown target "${name}"`,
      missingBlock
        ? `Add a "bench" block to its package.json; docs/SERVERS.md shows one.`
        : `The targets are: ${known}.`,
    );
  }
  return targets.filter((target) => names.includes(target.name));
}

/** The targets of a run, and why others are not among them, a sentence each. */
export interface TargetSelection {
  targets: LocalTarget[];
  leftOut: string[];
  /** Whether their builds have been run already. */
  areBuilt: boolean;
}

/**
 * The targets of a folder by these names (`all` for all), or those of a suite (all, where it is null);
 * those that nobody builds are built. One that nobody named is left out where a program that it needs
 * is not here.
 * @throws UserError as `readTargets`, `selectTargets`, `requireNeeds` and `requireBuilt`, and where
 * nothing is left.
 */
export function chooseTargets(
  packages: string,
  names: string[] | null,
  suite: string | null,
): TargetSelection {
  const all = readTargets(packages);
  const isNamed = names !== null && !names.includes(ALL);
  const ofSuite = all.filter((target) => suite === null || target.suite === suite);
  const wanted = isNamed ? selectTargets(all, names) : names === null ? ofSuite : all;
  if (isNamed) requireNeeds(wanted);
  const { targets, leftOut } = equipped(wanted);
  if (targets.length === 0 && leftOut.length > 0) {
    throw new UserError(
      `no target can run here: ${leftOut.join('; ')}`,
      'Install what is missing.',
    );
  }
  requireBuilt(targets.filter(({ build }) => build === null));
  return { targets, leftOut, areBuilt: false };
}

/** Where a target's commands run, absolute. */
export function workingFolder({ directory, cwd }: Pick<LocalTarget, 'directory' | 'cwd'>): string {
  return resolve(directory, cwd);
}

/** The services that a target declares. */
export function servicesOf({ services }: Pick<Target, 'services'>): ServiceName[] {
  return SERVICE_NAMES.filter((name) => services[name] !== undefined);
}

/** The script a `start` of the form `node SCRIPT …` runs, absolute; null for any other command. */
export function nodeScript(target: LocalTarget): string | null {
  const [command, script] = target.start;
  return command === 'node' && script !== undefined ? resolve(workingFolder(target), script) : null;
}

/**
 * Refuses targets whose start script does not exist yet.
 * @throws UserError that names them and how to build them.
 */
export function requireBuilt(targets: LocalTarget[]): void {
  const missing = targets.filter((target) => {
    const script = nodeScript(target);
    return script !== null && !existsSync(script);
  });
  if (missing.length === 0) return;
  throw new UserError(
    `not built: ${missing.map((target) => target.name).join(', ')}`,
    'Run `pnpm build` first.',
  );
}

function folders(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch (cause) {
    throw new UserError(
      `can't read the targets' folder ${directory}: ${messageOf(cause)}`,
      'Name a folder of targets with --packages.',
      { cause },
    );
  }
}

/**
 * The target that a folder is, if its `package.json` has a `bench` block. What it stands over is not
 * there.
 * @throws UserError as `readTargets`.
 */
export function readFolder(folder: string): LocalTarget | null {
  const [target] = readTarget(dirname(folder), basename(folder));
  if (target === undefined) return null;
  const label = target.label ?? target.name;
  return { ...target, label, over: null, variantOf: null, variant: null };
}

function readTarget(directory: string, name: string) {
  const manifest = readManifest(manifestPath(directory, name));
  if (manifest === null || !('bench' in manifest)) return [];
  const block = benchBlock.safeParse(manifest.bench);
  if (!block.success) {
    const problems = block.error.issues.map((issue) => {
      return `bench${issue.path.map((key) => `.${String(key)}`).join('')}: ${issue.message}`;
    });
    throw new UserError(
      `${manifestPath(directory, name)}: ${problems.join('; ')}`,
      'Correct the "bench" block; docs/SERVERS.md shows one with every key.',
      { cause: block.error },
    );
  }
  const folder = resolve(directory, name);
  const { request: _request, expect: _expect, label = null, variants, ...declared } = block.data;
  requireSeedFiles(block.data, folder);
  const requests = exchangesOf(block.data, folder);
  const target = {
    ...declared,
    label,
    requests,
    name,
    directory: folder,
    runtime: null,
    cpuLimit: null,
    passed: {},
    hidesRequests: false,
    external: null,
  };
  const changed = Object.entries(variants).map(([own, { env, variantOf = name, ...said }]) => {
    const exchanges = exchangesOf(said, folder);
    // Only the block's own target is for people, on a port that they know.
    const rest = {
      label: said.label ?? null,
      over: null,
      port: null,
      env: { ...target.env, ...env },
      services: { ...target.services, ...said.services },
      requests: exchanges.length === 0 ? requests : exchanges,
    };
    return { ...target, ...rest, name: own, variantOf, variant: said.variant };
  });
  if (existsSync(workingFolder(target))) return [target, ...changed];
  throw new UserError(
    `${manifestPath(directory, name)}: bench.cwd: there is no ${workingFolder(target)}`,
    "Name a folder from the target's own on.",
  );
}

function manifestPath(directory: string, name: string): string {
  return join(directory, name, 'package.json');
}

function readManifest(path: string): Record<string, unknown> | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null;
    throw new UserError(`can't read ${path}: ${messageOf(cause)}`, 'Make it readable.', { cause });
  }
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (cause) {
    throw new UserError(`${path} is not a JSON object`, 'Correct the file.', { cause });
  }
}
