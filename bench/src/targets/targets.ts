import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf, UserError } from '../base/errors.ts';
import { standing } from '../base/places.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { benchBlock, COMMON, exchangesOf } from './block.ts';
import { exchangeSchema } from './exchange.ts';
import { readManifest } from './manifest.ts';
import { equipped, requireNeeds } from './needs.ts';
import { related } from './related.ts';
import { type LocalRuntime, runtimeSchema } from './runtime.ts';

/** In place of names: every target there is. */
const ALL = 'all';

export const targetSchema = z.object({
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
  /** The bytes of memory that all its processes have together; null without a limit. Older records have none. */
  memoryLimit: z.number().positive().nullable().default(null),
});

/** A server under test, as its `package.json` declares it. */
export type Target = z.infer<typeof targetSchema>;

const { start: _start, ...DECLARED } = COMMON;

/** What nothing is said about. */
export const TARGET_DEFAULTS = {
  ...z.object(DECLARED).parse({}),
  ...{ runtime: null, cpuLimit: null, memoryLimit: null, external: null },
  ...{ passed: {}, hidesRequests: false },
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
 * and what is allowed), two targets of one name, an unknown `over` or `variantOf`, or no target at all.
 */
export function readTargets(directory: string): LocalTarget[] {
  const from = resolve(standing(), directory);
  const targets = folders(from).flatMap((name) => readTarget(join(from, name)));
  if (targets.length === 0) {
    throw new UserError(
      `no target in ${from}`,
      'Add a folder whose package.json has a "bench" block; docs/SERVERS.md shows one.',
    );
  }
  for (const [name, twice] of Map.groupBy(targets, (target) => target.name)) {
    if (twice.length === 1) continue;
    const files = twice.map((target) => join(target.directory, 'package.json'));
    throw new UserError(
      `"${name}" is a target of ${files.join(' and of ')}`,
      'Give one of them another name; that of a folder is its own.',
    );
  }
  return related(targets);
}

/**
 * The targets of these names, in the order of `targets`.
 * @throws UserError for a name that is no target's.
 */
export function selectTargets(targets: LocalTarget[], names: string[]): LocalTarget[] {
  for (const name of names) {
    if (targets.some((target) => target.name === name)) continue;
    if (targets[0] && existsSync(join(targets[0].directory, '..', name))) {
      throw new UserError(
        `${name} has no "bench" block`,
        'Add a "bench" block to its package.json; docs/SERVERS.md shows one.',
      );
    }
    const known = targets.map((target) => target.name).join(', ');
    throw new UserError(`unknown target "${name}"`, `The targets are: ${known}.`);
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
 * those that nobody builds are built. One that nobody named is left out where a program or a service that it
 * needs is not here. For targets of another machine `areForHere` is false: what this one lacks does not matter.
 * @throws UserError as `readTargets`, `selectTargets`, `requireNeeds` and `requireBuilt`, and where
 * nothing is left.
 */
export function chooseTargets(
  packages: string,
  names: string[] | null,
  suite: string | null,
  areForHere = true,
): TargetSelection {
  const all = readTargets(packages);
  const isNamed = areNamed(names);
  const ofSuite = all.filter((target) => suite === null || target.suite === suite);
  const wanted = isNamed ? selectTargets(all, names) : names === null ? ofSuite : all;
  if (isNamed && areForHere) requireNeeds(wanted);
  const { targets, leftOut } = areForHere ? equipped(wanted) : { targets: wanted, leftOut: [] };
  if (targets.length === 0 && leftOut.length > 0) {
    throw new UserError(
      `no target can run here: ${leftOut.join('; ')}`,
      'Install what is missing.',
    );
  }
  requireBuilt(targets.filter(({ build }) => build === null));
  return { targets, leftOut, areBuilt: false };
}

/** Whether somebody has chosen the targets one by one. */
export function areNamed(names: readonly string[] | null): names is string[] {
  return names !== null && !names.includes(ALL);
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
  const [target] = readTarget(folder);
  if (target === undefined) return null;
  const label = target.label ?? target.name;
  return { ...target, label, over: null, variantOf: null, variant: null };
}

/** The target of a folder and its variants; none where it has no `bench` block. */
function readTarget(folder: string) {
  const manifest = readManifest(folder);
  if (manifest === null || !('bench' in manifest)) return [];
  const path = join(folder, 'package.json');
  const block = benchBlock.safeParse(manifest.bench);
  if (!block.success) {
    const problems = block.error.issues.map((issue) => {
      return `bench${issue.path.map((key) => `.${String(key)}`).join('')}: ${issue.message}`;
    });
    throw new UserError(
      `${path}: ${problems.join('; ')}`,
      'Correct the "bench" block; docs/SERVERS.md shows one with every key.',
      { cause: block.error },
    );
  }
  const { request: _request, expect: _expect, label = null, variants, ...declared } = block.data;
  const target = {
    ...{ ...TARGET_DEFAULTS, ...declared, label },
    ...{ name: basename(folder), directory: folder },
    requests: exchangesOf(block.data, folder),
  };
  const changed = Object.entries(variants).map(([name, variant]) => {
    const requests = exchangesOf(variant, folder);
    return {
      ...target,
      // Only the block's own target is for people, on a port that they know.
      ...{ name, label: variant.label ?? null, over: null, port: null },
      ...{ variantOf: variant.variantOf ?? target.name, variant: variant.variant },
      env: { ...target.env, ...variant.env },
      services: { ...target.services, ...variant.services },
      requests: requests.length === 0 ? target.requests : requests,
    };
  });
  for (const each of [target, ...changed]) requireFiles(path, each);
  return [target, ...changed];
}

/** @throws UserError where a target names files or folders that are not there. */
function requireFiles(
  path: string,
  target: Pick<LocalTarget, 'directory' | 'cwd' | 'services'>,
): void {
  const seeds = Object.values(target.services).flatMap(({ seedFiles }) => seedFiles ?? []);
  const missing = seeds.find((file) => !existsSync(resolve(target.directory, file)));
  const cwd = workingFolder(target);
  if (missing === undefined && existsSync(cwd)) return;
  throw new UserError(
    missing === undefined
      ? `${path}: bench.cwd: there is no ${cwd}`
      : `${path}: bench.services: there is no ${missing} among the seedFiles`,
    "Name files and folders from the target's folder on.",
  );
}
