import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { messageOf, UserError } from '../base/errors.ts';
import { standing, WORKLOADS } from '../base/places.ts';
import { byRequest } from '../targets/by-request.ts';
import { readTargets } from '../targets/targets.ts';
import {
  comparisonsOf,
  type DeclaredTable,
  isOfLoad,
  type Workload,
  workloadSchema,
} from './declaration.ts';

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

/** The workloads of this repository, by name. @throws UserError as `readWorkload`. */
export function ownWorkloads(): LocalWorkload[] {
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
  const next = 'docs/WORKLOADS.md shows a declaration with every key.';
  let declared: unknown;
  try {
    declared = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new UserError(`can't read ${path}: ${messageOf(cause)}`, next, { cause });
  }
  const parsed = workloadSchema.safeParse(declared);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path: keys, message }) => {
      return `${keys.map(String).join('.') || 'the declaration'}: ${message}`;
    });
    throw new UserError(`${path}: ${problems.join('; ')}`, next, { cause: parsed.error });
  }
  const [problem] = unknownNames(parsed.data);
  if (problem !== undefined) throw new UserError(`${path}: ${problem}`, next);
  return { name: basename(folder), folder, workload: parsed.data };
}

/** @throws UserError where a declaration names a target that its folder does not have. */
export function requireTargets({ folder, workload }: LocalWorkload): void {
  const declared = readTargets(folder);
  const all = workload.splitByRequest ? byRequest(declared) : declared;
  const known = new Set(all.map(({ name }) => name));
  const missing = targetsNamed(workload).find((name) => !known.has(name));
  if (missing === undefined) return;
  throw new UserError(
    `${join(folder, WORKLOAD_FILE)}: there is no target "${missing}"`,
    `The targets are: ${[...known].join(', ')}.`,
  );
}

/** The targets that a declaration names. */
function targetsNamed({ targets, quick, loads, comparisons, published, show }: Workload): string[] {
  const placements = loads.flatMap((load) => [
    ...load.placements,
    ...((load.kind === 'closed' && load.higherPlacements) || []),
  ]);
  const selectors = [targets, quick.targets, ...placements.map((each) => each.targets)].flat();
  return [
    ...selectors.flatMap(({ names = [], except = [], variantsOf = [] }) => {
      return [...names, ...except, ...variantsOf];
    }),
    ...comparisons
      .flatMap(({ of, over }) => [of, over])
      .map((side) => (typeof side === 'string' ? side : side.target)),
    ...(published?.values ?? []).map(({ target }) => target),
    ...show.flatMap((table) => (table.table === 'over' ? [table.base] : [])),
  ];
}

/** What is named in a declaration and not declared in it. */
function unknownNames({ loads, show, comparisons, claims, checked }: Workload): string[] {
  const isLoad = (id: string) => loads.some((load) => isOfLoad(id, load.id));
  const ids = [
    ...show.flatMap((table) => loadsOfTable(table)),
    ...comparisons.flatMap(({ load, of, over }) => {
      const own = [of, over].map((side) => (typeof side === 'string' ? undefined : side.load));
      return [load, ...own].filter((each) => each !== undefined);
    }),
  ];
  const tests = claims.flatMap(({ test }) => comparisonsOf(test));
  const columns = show.flatMap((each) => (each.table === 'levels' ? each.columns : []));
  return [
    ...ids.filter((id) => !isLoad(id)).map((id) => `there is no load "${id}"`),
    ...tests
      .filter((id) => comparisons.every((each) => each.id !== id))
      .map((id) => `there is no comparison "${id}"`),
    ...columns
      .flatMap((column) => (typeof column === 'string' ? [] : [column.checked]))
      .filter((name) => !(name in checked))
      .map((name) => `"checked" has no "${name}"`),
  ];
}

function loadsOfTable(table: DeclaredTable): string[] {
  if ('loads' in table) return table.loads;
  return 'load' in table ? [table.load] : [];
}
