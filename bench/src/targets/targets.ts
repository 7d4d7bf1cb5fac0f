import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { orUserError, UserError } from '../base/errors.ts';
import { absolute } from '../base/places.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { benchBlock, exchangesOf, TARGET_KEYS, withRequestFiles } from './block.ts';
import { exchangeSchema } from './exchange.ts';
import { readManifest } from './manifest.ts';
import { requireNeeds, runnable } from './needs.ts';
import { type LocalRuntime, runtimeSchema } from './runtime.ts';

export const targetSchema = z.object({
  ...TARGET_KEYS,
  /** The name of its folder, which is its name everywhere. */
  name: z.string().min(1),
  label: z.string().min(1),
  requests: z.array(exchangeSchema).min(1),
  /** What runs it in place of `node`; null for the Node that runs the harness. */
  runtime: runtimeSchema.nullable().default(null),
  /** The CPU time, in cores, that all its processes have together; null without a limit. */
  cpuLimit: z.number().positive().nullable(),
  /** The memory that all its processes have together, bytes; null without a limit, and in older records. */
  memoryLimit: z.number().positive().nullable().default(null),
});

/** A server under test, as its `package.json` declares it. */
export type Target = z.infer<typeof targetSchema>;

export interface LocalTarget extends Target {
  /** Its folder, absolute. */
  directory: string;
  /** More of its server's environment. No record has it, since it may be secret. */
  passed: Record<string, string>;
  /** No record has the headers and bodies of its requests, since they were given on the command line. */
  hidesRequests: boolean;
  /** Where it listens, and its processes, if somebody else has started it; null otherwise. */
  external: { origin: string; pids: readonly number[] } | null;
  runtime: LocalRuntime | null;
}

const { start: _start, ...OPTIONAL_KEYS } = TARGET_KEYS;

/** The values of everything that a target need not declare. */
export const TARGET_DEFAULTS = {
  ...z.object(OPTIONAL_KEYS).parse({}),
  runtime: null,
  cpuLimit: null,
  memoryLimit: null,
  external: null,
  passed: {},
  hidesRequests: false,
} satisfies Partial<LocalTarget>;

/** The targets of every folder in this one. @throws UserError if it is unreadable, has none, or a block is wrong. */
export function readTargets(directory: string): LocalTarget[] {
  const from = absolute(directory);
  const targets = foldersIn(from).flatMap((name) => readFolderTargets(join(from, name)));
  if (targets.length === 0) {
    throw new UserError(
      `no target in ${from}`,
      'Add a folder whose package.json has a "bench" block; docs/SERVERS.md shows one.',
    );
  }
  for (const [name, same] of Map.groupBy(targets, (target) => target.name)) {
    if (same.length === 1) continue;
    const files = same.map((target) => join(target.directory, 'package.json'));
    throw new UserError(
      `"${name}" is a target of ${files.join(' and of ')}`,
      'Give one of them another name; that of a folder is its own.',
    );
  }
  return resolveRelations(targets);
}

/** The targets with these names, in the order of `targets`. @throws UserError for an unknown name. */
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

/** The targets of a run, and for each that is left out a sentence that says why. */
export interface TargetSelection {
  targets: LocalTarget[];
  leftOut: string[];
  areBuilt: boolean;
}

/** The targets with these names (`all` for all), or else of a suite (null for all). @throws UserError if one can't run. */
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
  // Those that nobody named are left out if this machine lacks what they need.
  const { targets, leftOut } = areForHere ? runnable(wanted) : { targets: wanted, leftOut: [] };
  if (targets.length === 0 && leftOut.length > 0) {
    const message = `no target can run here: ${leftOut.join('; ')}`;
    throw new UserError(message, 'Install what is missing.');
  }
  requireBuilt(targets.filter(({ build }) => build === null));
  return { targets, leftOut, areBuilt: false };
}

/** Whether targets were named one by one. */
export function areNamed(names: readonly string[] | null): names is string[] {
  return names !== null && !names.includes('all');
}

/** Where a target's commands run, absolute. */
export function workingFolder({ directory, cwd }: Pick<LocalTarget, 'directory' | 'cwd'>): string {
  return resolve(directory, cwd);
}

export function servicesOf({ services }: Pick<Target, 'services'>): ServiceName[] {
  return SERVICE_NAMES.filter((name) => services[name] !== undefined);
}

/** Whether a target starts as `node SCRIPT …`, without options of Node: only this can process managers run. */
export function startsScript({ start: [command, script = '-'] }: Pick<Target, 'start'>): boolean {
  return command === 'node' && !script.startsWith('-');
}

/** The script of a target that starts as `node SCRIPT …`, absolute; null for any other command. */
export function nodeScript(target: LocalTarget): string | null {
  const [, script = ''] = target.start;
  return startsScript(target) ? resolve(workingFolder(target), script) : null;
}

/** @throws UserError that names the targets whose start script does not exist, and how to build them. */
export function requireBuilt(targets: LocalTarget[]): void {
  const missing = targets.filter((target) => {
    const script = nodeScript(target);
    return script !== null && !existsSync(script);
  });
  if (missing.length === 0) return;
  const names = missing.map((target) => target.name).join(', ');
  throw new UserError(`not built: ${names}`, 'Run `pnpm build` first.');
}

function foldersIn(directory: string): string[] {
  const problem = `can't read the targets' folder ${directory}`;
  const entries = orUserError(problem, 'Name a folder of targets with --packages.', () => {
    return readdirSync(directory, { withFileTypes: true });
  });
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.map((entry) => entry.name).sort();
}

/** The target of a folder, related to no other; null without a `bench` block. @throws UserError as `readTargets`. */
export function readFolder(folder: string): LocalTarget | null {
  const [target] = readFolderTargets(folder);
  if (target === undefined) return null;
  const label = target.label ?? target.name;
  return { ...target, label, over: null, variantOf: null, variant: null };
}

/** A target as its block declares it: a variant may be named after what it is a variant of. */
type DeclaredTarget = Omit<LocalTarget, 'label'> & { label: string | null };

/** The target of a folder and its variants; none if it has no `bench` block. */
function readFolderTargets(folder: string): DeclaredTarget[] {
  const manifest = readManifest(folder);
  if (manifest === null || !('bench' in manifest)) return [];
  const path = join(folder, 'package.json');
  const declaredBlock = withRequestFiles(manifest.bench, folder);
  const { data: block, error: cause } = benchBlock.safeParse(declaredBlock);
  if (cause !== undefined) {
    const problems = cause.issues.map((issue) => {
      return `bench${issue.path.map((key) => `.${String(key)}`).join('')}: ${issue.message}`;
    });
    const next = 'Correct the "bench" block; docs/SERVERS.md shows one with every key.';
    throw new UserError(`${path}: ${problems.join('; ')}`, next, { cause });
  }
  const { request: _request, expect: _expect, label = null, variants, ...declared } = block;
  const target = {
    ...TARGET_DEFAULTS,
    ...declared,
    label,
    name: basename(folder),
    directory: folder,
    requests: exchangesOf(block, folder),
  };
  const changed = Object.entries(variants).map(([name, variant]) => {
    const requests = exchangesOf(variant, folder);
    return {
      ...target,
      name,
      label: variant.label ?? null,
      variantOf: variant.variantOf ?? target.name,
      variant: variant.variant,
      over: null,
      // Only the block's own target is started for people, on a port that they know.
      port: null,
      env: { ...target.env, ...variant.env },
      services: { ...target.services, ...variant.services },
      requests: requests.length === 0 ? target.requests : requests,
    };
  });
  for (const each of [target, ...changed]) requireDeclaredFiles(path, each);
  return [target, ...changed];
}

/** @throws UserError if a target names files or folders that do not exist. */
function requireDeclaredFiles(path: string, target: DeclaredTarget): void {
  const seeds = Object.values(target.services).flatMap(({ seedFiles }) => seedFiles ?? []);
  const missing = seeds.find((file) => !existsSync(resolve(target.directory, file)));
  const cwd = workingFolder(target);
  if (missing === undefined && existsSync(cwd)) return;
  const ofSeed = `bench.services: there is no ${missing} among the seedFiles`;
  const problem = missing === undefined ? `bench.cwd: there is no ${cwd}` : ofSeed;
  throw new UserError(`${path}: ${problem}`, "Name files and folders from the target's folder on.");
}

/** Gives variants a label and `over` if they have none. @throws UserError if a base is unknown or leads back. */
function resolveRelations(targets: DeclaredTarget[]): LocalTarget[] {
  requireRelations(targets, 'variantOf', 'a variant of');
  const byName = new Map(targets.map((target) => [target.name, target]));
  const labelOf = (target: DeclaredTarget, changes: string[]): string => {
    const { name, label, variantOf, variant } = target;
    const base = byName.get(variantOf ?? '');
    if (label === null && base !== undefined) return labelOf(base, [variant ?? name, ...changes]);
    const own = label ?? name;
    return changes.length === 0 ? own : `${own} (${changes.join(', ')})`;
  };
  const resolved = targets.map((target) => {
    return { ...target, label: labelOf(target, []), over: target.over ?? target.variantOf };
  });
  requireRelations(resolved, 'over', 'built on');
  return resolved;
}

function requireRelations(all: DeclaredTarget[], key: 'over' | 'variantOf', words: string): void {
  const byName = new Map(all.map((target) => [target.name, target]));
  for (const { name, [key]: other, directory } of all) {
    const below = new Set([name]);
    let base = other;
    while (base !== null && !below.has(base)) {
      below.add(base);
      base = byName.get(base)?.[key] ?? null;
    }
    const isKnown = other === null || byName.has(other);
    if (isKnown && base === null) continue;
    const problem = isKnown ? `is ${words} ${name} itself` : 'is not another target';
    const others = [...byName.keys()].filter((each) => each !== name);
    throw new UserError(
      `${join(directory, 'package.json')}: bench.${key}: "${other}" ${problem}`,
      `Use one of: ${others.join(', ')}.`,
    );
  }
}
