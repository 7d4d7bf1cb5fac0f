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

/** What is wrong with a declaration whose parts are right each by itself. */
function problemsOf({ loads, show, comparisons, claims, checked }: Workload): string[] {
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
