import { cacheFolder } from '../base/places.ts';
import { requirePm2 } from '../launch/pm2.ts';
import { requireNode } from '../plan/resources.ts';
import { resolveTopologies } from '../plan/topology.ts';
import type { TopologyName } from '../request/option-values.ts';
import type { Machine } from '../system/machine.ts';
import { resolveChanges } from '../targets/changes.ts';
import { perLimit, perRuntime } from '../targets/copies.ts';
import type { LocalTarget, TargetSelection } from '../targets/targets.ts';
import { type Invocation, type RunConsole, unlessInterrupted } from './command.ts';

type PreparingCommand = RunConsole & Pick<Invocation, 'given'>;

/**
 * Says which targets are left out, builds the others unless they are built, and adds the copies that options ask for.
 * An interrupted build returns early. @throws as `requireNode`, `requirePm2`, `buildTargets` and `withModifiers`.
 */
export async function prepare(
  { targets, leftOut, areBuilt }: TargetSelection,
  topologies: TopologyName[],
  command: PreparingCommand,
): Promise<{ machine: Machine; targets: LocalTarget[] }> {
  const { backend, interrupts, say } = command;
  const machine = await backend.describeMachine(targets.map(({ directory }) => directory));
  for (const reason of leftOut) say(`Left out: ${reason}`);
  const resolved = resolveTopologies(topologies, machine);
  requireNode(targets, resolved);
  if (resolved.some(({ manager }) => manager.startsWith('pm2'))) requirePm2();
  if (!areBuilt) await backend.buildTargets(targets, interrupts.soon, say);
  return { machine, targets: await withModifiers(targets, command) };
}

/**
 * These targets, each followed by its copies with other versions of dependencies, under every limit on every runtime.
 * @throws UserError if a copy can't be made; CommandExit if a signal comes while something is being fetched.
 */
export function withModifiers(targets: LocalTarget[], command: PreparingCommand) {
  const { given, backend, interrupts, say } = command;
  const fetching = { cache: cacheFolder(), signal: interrupts.soon, say };
  return unlessInterrupted(command, async () => {
    const variants: LocalTarget[] = [];
    for (const change of resolveChanges(targets, given.with ?? [])) {
      variants.push(await backend.provideVariant(change, fetching));
    }
    const all = targets.flatMap((target) => {
      const own = variants.filter(({ variantOf }) => variantOf === target.name);
      return [target, ...new Map(own.map((each) => [each.name, each])).values()];
    });
    const limited = perLimit(all, given.cpuLimit ?? [], given.memoryLimit ?? []);
    return perRuntime(limited, await backend.provideRuntimes(given.runtime ?? [], fetching));
  });
}
