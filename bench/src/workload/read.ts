import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { messageOf, UserError } from '../base/errors.ts';
import { standing, WORKLOADS } from '../base/places.ts';
import { byRequest, originalOf } from '../targets/copies.ts';
import { readTargets } from '../targets/targets.ts';
import { isOfLoad, type Workload, workloadSchema } from './declaration.ts';

/** What a folder of targets has to hold to be a workload. */
export const WORKLOAD_FILE = 'workload.json';

/** A workload on this machine. */
export interface LocalWorkload {
  /** That of its folder. */
  name: string;
  /** Absolute. */
  folder: string;
  workload: Workload;
}

/** The workloads of this repository, by name; none where it is not whole. @throws UserError as `readWorkload`. */
export function ownWorkloads(): LocalWorkload[] {
  if (!existsSync(WORKLOADS)) return [];
  return readdirSync(WORKLOADS, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && existsSync(join(WORKLOADS, entry.name, WORKLOAD_FILE)),
    )
    .map(({ name }) => readWorkload(join(WORKLOADS, name)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The workload of a folder, which is named from where the user stands on.
 * @throws UserError for a declaration that can't be read or is malformed, or that names a load or a comparison that
 * it does not have.
 */
export function readWorkload(named: string): LocalWorkload {
  const folder = resolve(standing(), named);
  const path = join(folder, WORKLOAD_FILE);
  let declared: unknown;
  try {
    declared = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new UserError(`can't read ${path}: ${messageOf(cause)}`, NEXT, { cause });
  }
  return { name: basename(folder), folder, workload: workloadIn(path, declared) };
}

const NEXT = 'docs/WORKLOADS.md shows a declaration, and docs/workload.schema.json every key.';

/** The workload that a file of this path declares. @throws UserError as `readWorkload`. */
export function workloadIn(path: string, declared: unknown): Workload {
  const parsed = workloadSchema.safeParse(declared);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path: keys, message }) => {
      return `${keys.map(String).join('.') || 'the declaration'}: ${message}`;
    });
    throw new UserError(`${path}: ${problems.join('; ')}`, NEXT, { cause: parsed.error });
  }
  const [problem] = problemsOf(parsed.data);
  if (problem !== undefined) throw new UserError(`${path}: ${problem}`, NEXT);
  return parsed.data;
}

/** @throws UserError where a declaration names a target that its folder does not have. */
export function requireTargets({ folder, workload }: LocalWorkload): void {
  const declared = readTargets(folder);
  const all = workload.splitByRequest ? byRequest(declared) : declared;
  const known = new Set(all.map(({ name }) => name));
  const missing = namedIn(workload, 'target').find((name) => !known.has(originalOf(name)));
  if (missing === undefined) return;
  throw new UserError(
    `${join(folder, WORKLOAD_FILE)}: there is no target "${missing}"`,
    `The targets are: ${[...known].join(', ')}.`,
  );
}

/** Keys of a declaration under which something is named that has to be there. */
const NAMING = {
  target: ['target', 'names', 'except', 'variantsOf', 'of', 'over', 'base'],
  load: ['load', 'loads'],
  comparison: ['compare', 'effect', 'greaterThan'],
  checked: ['checked'],
};

/** What a declaration names of a kind, anywhere in it. */
function namedIn({ checked: _, ...workload }: Workload, kind: keyof typeof NAMING): string[] {
  const namedUnder = (key: string, value: unknown): string[] => {
    if (typeof value === 'string') return NAMING[kind].includes(key) ? [value] : [];
    if (Array.isArray(value)) return value.flatMap((each) => namedUnder(key, each));
    return Object.entries(value ?? {}).flatMap(([own, each]) => namedUnder(own, each));
  };
  return namedUnder('', workload);
}

/** What is wrong with a declaration whose parts are right each by itself. */
function problemsOf(workload: Workload): string[] {
  const { loads, comparisons, checked } = workload;
  const twice = [loads, comparisons].flatMap((list) => {
    const own = list.map(({ id }) => id);
    return own.filter((id, place) => own.indexOf(id) !== place);
  });
  const rates = loads.flatMap((load) => (load.kind === 'open' ? [load.rate] : []));
  const isOfSlowest = rates.some((rate) => typeof rate !== 'number' && 'ofSlowest' in rate);
  const isByBusy = rates.some((rate) => typeof rate !== 'number' && 'busyAtMost' in rate);
  return [
    ...twice.map((id) => `there are two of "${id}"`),
    ...(isOfSlowest && loads.every(({ kind }) => kind === 'open')
      ? ['"ofSlowest" needs a closed load, under which the slowest server shows its limit']
      : []),
    ...(isOfSlowest && isByBusy
      ? ['"ofSlowest" and "busyAtMost" are found out by different pilots: use one of them']
      : []),
    ...namedIn(workload, 'load')
      .filter((id) => !loads.some((load) => isOfLoad(id, load.id)))
      .map((id) => `there is no load "${id}"`),
    ...namedIn(workload, 'comparison')
      .filter((id) => !comparisons.some((each) => each.id === id))
      .map((id) => `there is no comparison "${id}"`),
    ...namedIn(workload, 'checked')
      .filter((name) => !(name in checked))
      .map((name) => `"checked" has no "${name}"`),
  ];
}
