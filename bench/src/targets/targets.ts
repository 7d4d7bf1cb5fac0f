import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { codeOf, messageOf, UserError } from '../base/errors.ts';
import { type LocalRuntime, runtimeSchema } from './runtime.ts';

/** The suites of targets: each has a command that runs it by default. */
export const SUITES = ['frameworks', 'cluster'] as const;
export type Suite = (typeof SUITES)[number];

/** In place of names: every target there is. */
const ALL = 'all';

export const requestSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  path: z.string().startsWith('/'),
});

export const expectationSchema = z.strictObject({
  status: z.int().min(100).max(599),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string(),
});
/** The declared answer: status, the headers that matter (names in any case), and the whole body. */
export type Expectation = z.infer<typeof expectationSchema>;

const benchBlock = z.strictObject({
  suite: z.enum(SUITES),
  label: z.string().min(1),
  over: z.string().min(1).nullable().default(null),
  /** The command: a program and its arguments, in the target's folder. */
  start: z.tuple([z.string().min(1)], z.string()),
  /** Beside what every server has in its environment. */
  env: z.record(z.string().min(1), z.string()).default({}),
  port: z.int().min(1).max(65535),
  request: requestSchema,
  expect: expectationSchema,
});

export const targetSchema = z.object({
  ...benchBlock.shape,
  /** The folder's name, which is the target's name everywhere. */
  name: z.string().min(1),
  /** What runs it in place of `node`; null is the Node that runs the harness. */
  runtime: runtimeSchema.nullable().default(null),
  /** The target that this is with one thing changed. */
  variantOf: z.string().min(1).nullable().default(null),
});

/** A server under test, as its `package.json` declares it. */
export type Target = z.infer<typeof targetSchema>;

/** A target on this machine. */
export interface LocalTarget extends Target {
  /** Its folder, absolute. */
  directory: string;
  runtime: LocalRuntime | null;
}

/**
 * Reads every target: the folders of `directory` whose `package.json` has a `bench` block, by name.
 * @throws UserError for a folder that can't be read, a malformed block (it names the file, the key
 * and what is allowed), an unknown `over`, or no target at all.
 */
export function readTargets(directory: string): LocalTarget[] {
  const targets = folders(directory).flatMap((name) => readTarget(directory, name));
  if (targets.length === 0) {
    throw new UserError(
      `no target in ${directory}`,
      'Add a folder whose package.json has a "bench" block; README.md shows one.',
    );
  }
  checkOver(targets);
  return targets;
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
        ? `Add a "bench" block to its package.json; README.md shows one.`
        : `The targets are: ${known}.`,
    );
  }
  return targets.filter((target) => names.includes(target.name));
}

/**
 * The targets of a folder by these names (`all` for all), or those of a suite (all, where it is null);
 * built ones.
 * @throws UserError as `readTargets`, `selectTargets` and `requireBuilt`.
 */
export function chooseTargets(
  packages: string,
  names: string[] | null,
  suite: Suite | null,
): LocalTarget[] {
  const all = readTargets(packages);
  const ofSuite = all.filter((target) => suite === null || target.suite === suite);
  const named = names?.includes(ALL) ? all : selectTargets(all, names ?? []);
  const chosen = names === null ? ofSuite : named;
  requireBuilt(chosen);
  return chosen;
}

/** The script a `start` of the form `node SCRIPT …` runs, absolute; null for any other command. */
export function nodeScript(target: LocalTarget): string | null {
  const [command, script] = target.start;
  return command === 'node' && script !== undefined ? resolve(target.directory, script) : null;
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

function checkOver(targets: LocalTarget[]): void {
  const byName = new Map(targets.map((target) => [target.name, target]));
  for (const { name, over, directory } of targets) {
    const problem = (text: string) => {
      const others = [...byName.keys()].filter((other) => other !== name);
      return new UserError(
        `${join(directory, 'package.json')}: bench.over: ${text}`,
        `Use one of: ${others.join(', ')}.`,
      );
    };
    if (over !== null && !byName.has(over)) throw problem(`"${over}" is not another target`);
    const below = new Set([name]);
    for (let base = over; base !== null; base = byName.get(base)?.over ?? null) {
      if (below.has(base)) throw problem(`"${over}" is built on ${name} itself`);
      below.add(base);
    }
  }
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

function readTarget(directory: string, name: string): LocalTarget[] {
  const manifest = readManifest(manifestPath(directory, name));
  if (manifest === null || !('bench' in manifest)) return [];
  const block = benchBlock.safeParse(manifest.bench);
  if (!block.success) {
    const problems = block.error.issues.map((issue) => {
      return `bench${issue.path.map((key) => `.${String(key)}`).join('')}: ${issue.message}`;
    });
    throw new UserError(
      `${manifestPath(directory, name)}: ${problems.join('; ')}`,
      'Correct the "bench" block; README.md shows one with every key.',
      { cause: block.error },
    );
  }
  const own = { name, runtime: null, variantOf: null, directory: join(directory, name) };
  return [{ ...block.data, ...own }];
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
