import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { orUserError, UserError } from '../base/errors.ts';
import { absolute, WORKLOADS } from '../base/places.ts';
import { originalOf, perRequest } from '../targets/copies.ts';
import { readTargets } from '../targets/targets.ts';
import { isOfLoad, type Workload, workloadSchema } from './declaration.ts';

/** The file that makes a folder of targets a workload. */
export const WORKLOAD_FILE = 'workload.json';

/** A workload on this machine: the name of its folder, the absolute path of that, and the declaration. */
export type LocalWorkload = ReturnType<typeof readWorkload>;

/** The workloads of this repository, by name; none in the npm package. @throws UserError as `readWorkload`. */
export function ownWorkloads(): LocalWorkload[] {
  if (!existsSync(WORKLOADS)) return [];
  const folders = readdirSync(WORKLOADS).map((name) => join(WORKLOADS, name));
  const own = folders.filter((folder) => existsSync(join(folder, WORKLOAD_FILE)));
  return own.sort().map((folder) => readWorkload(folder));
}

const NEXT = 'docs/WORKLOADS.md shows a declaration, and docs/workload.schema.json every key.';

/** The workload of a folder relative to the caller's. @throws UserError for an unreadable or wrong declaration. */
export function readWorkload(named: string) {
  const folder = absolute(named);
  const path = join(folder, WORKLOAD_FILE);
  const declared: unknown = orUserError(`can't read ${path}`, NEXT, () => {
    return JSON.parse(readFileSync(path, 'utf8'));
  });
  return { name: basename(folder), folder, workload: workloadIn(path, declared) };
}

/** The workload that a file at this path declares. @throws UserError as `readWorkload`. */
export function workloadIn(path: string, declared: unknown): Workload {
  const { data, error: cause } = workloadSchema.safeParse(declared);
  if (cause !== undefined) {
    const problems = cause.issues.map(({ path: keys, message }) => {
      return `${keys.map(String).join('.') || 'the declaration'}: ${message}`;
    });
    throw new UserError(`${path}: ${problems.join('; ')}`, NEXT, { cause });
  }
  const [problem] = problemsOf(data);
  if (problem !== undefined) throw new UserError(`${path}: ${problem}`, NEXT);
  return data;
}

/** @throws UserError if a declaration names a target that its folder does not have. */
export function requireTargets({ folder, workload }: LocalWorkload): void {
  const declared = readTargets(folder);
  const all = workload.splitByRequest ? perRequest(declared) : declared;
  const known = new Set(all.map(({ name }) => name));
  const keys = ['target', 'names', 'except', 'variantsOf', 'of', 'over', 'base'];
  const missing = namedUnder(keys, workload).find((name) => !known.has(originalOf(name)));
  if (missing === undefined) return;
  throw new UserError(
    `${join(folder, WORKLOAD_FILE)}: there is no target "${missing}"`,
    `The targets are: ${[...known].join(', ')}.`,
  );
}

/** The texts under these keys, anywhere in a declaration: they name something that has to exist. */
function namedUnder(keys: readonly string[], { checked: _, ...workload }: Workload): string[] {
  const textsIn = (key: string, value: unknown): string[] => {
    if (typeof value === 'string') return keys.includes(key) ? [value] : [];
    if (Array.isArray(value)) return value.flatMap((each) => textsIn(key, each));
    return Object.entries(value ?? {}).flatMap(([own, each]) => textsIn(own, each));
  };
  return textsIn('', workload);
}

/** What is wrong with a declaration whose parts are each right by themselves. */
function* problemsOf(workload: Workload): Generator<string> {
  const { loads, comparisons, checked } = workload;
  const rates = loads.flatMap((load) => {
    return load.kind === 'open' && typeof load.rate !== 'number' ? Object.keys(load.rate) : [];
  });
  const isClosed = loads.some(({ kind }) => kind === 'closed');
  for (const list of [loads, comparisons]) {
    const ids = list.map(({ id }) => id);
    const twice = ids.find((id, place) => ids.indexOf(id) !== place);
    if (twice !== undefined) yield `there are two of "${twice}"`;
  }
  if (rates.includes('ofSlowest') && !isClosed) {
    yield '"ofSlowest" needs a closed load, which shows the limit of the slowest server';
  }
  if (rates.includes('ofSlowest') && rates.includes('busyAtMost')) {
    yield '"ofSlowest" and "busyAtMost" need different pilots: use one of them';
  }
  const isLoad = (id: string) => loads.some((load) => isOfLoad(id, load.id));
  const isComparison = (id: string) => comparisons.some((each) => each.id === id);
  for (const [what, keys, isKnown] of [
    ['load', ['load', 'loads'], isLoad],
    ['comparison', ['compare', 'effect', 'greaterThan'], isComparison],
    ['checked figure', ['checked'], (id: string) => id in checked],
  ] as const) {
    const missing = namedUnder(keys, workload).find((id) => !isKnown(id));
    if (missing !== undefined) yield `there is no ${what} "${missing}"`;
  }
}
