import { cacheFolder } from '../base/places.ts';
import { requirePm2 } from '../launch/pm2.ts';
import { requireNode } from '../plan/resources.ts';
import { resolveTopologies } from '../plan/topology.ts';
import type { TopologyName } from '../request/option-values.ts';
import type { GivenOptions } from '../request/run-options.ts';
import type { Machine } from '../system/machine.ts';
import { resolveChanges } from '../targets/changes.ts';
import { onLimits, onRuntimes } from '../targets/copies.ts';
import type { LocalTarget, TargetSelection } from '../targets/targets.ts';
import type { RunConsole } from './carry-out.ts';

/**
 * Makes the targets of a command ready to be started on this machine: says who is left out, builds the others
 * where that has not been done, and adds what is asked for beside them. Interrupted, it returns early: with null
 * where something was being fetched.
 * @throws UserError as `requireNode` and `requirePm2`, before anything is built, as `buildTargets`, and as `withModifiers`.
 */
export async function prepare(
  { targets, leftOut, areBuilt }: TargetSelection,
  topologies: TopologyName[],
  given: Pick<GivenOptions, 'runtime' | 'with' | 'cpuLimit' | 'memoryLimit'>,
  runConsole: Pick<RunConsole, 'backend' | 'interrupts' | 'say'>,
): Promise<{ machine: Machine; targets: LocalTarget[] } | null> {
  const { backend, interrupts, say } = runConsole;
  const machine = await backend.describeMachine(targets.map(({ directory }) => directory));
  for (const reason of leftOut) say(`Left out: ${reason}`);
  const resolved = resolveTopologies(topologies, machine);
  requireNode(targets, resolved);
  if (resolved.some(({ manager }) => manager.startsWith('pm2'))) requirePm2();
  if (!areBuilt) await backend.buildTargets(targets, interrupts.soon, say);
  try {
    return { machine, targets: await withModifiers(targets, given, runConsole) };
  } catch (error) {
    if (interrupts.soon.aborted) return null;
    throw error;
  }
}

/**
 * These targets, each followed by those with another version of a dependency, and all of them under every
 * limit and on every runtime.
 * @throws UserError as `resolveChanges`, `provideVariant` and `provideRuntimes`.
 */
export async function withModifiers(
  targets: LocalTarget[],
  {
    runtime: runtimes = [],
    with: changes = [],
    cpuLimit: cores = [],
    memoryLimit: bytes = [],
  }: Parameters<typeof prepare>[2],
  { backend, interrupts, say }: Parameters<typeof prepare>[3],
): Promise<LocalTarget[]> {
  const fetching = { cache: cacheFolder(), signal: interrupts.soon, say };
  const variants: LocalTarget[] = [];
  for (const change of resolveChanges(targets, changes)) {
    variants.push(await backend.provideVariant(change, fetching));
  }
  const all = targets.flatMap((target) => {
    const own = variants.filter(({ variantOf }) => variantOf === target.name);
    return [target, ...new Map(own.map((each) => [each.name, each])).values()];
  });
  return onRuntimes(onLimits(all, cores, bytes), await backend.provideRuntimes(runtimes, fetching));
}
