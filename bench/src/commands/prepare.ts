import { requireNode } from '../plan/resources.ts';
import { resolveTopologies } from '../plan/topology.ts';
import type { TopologyName } from '../request/option-values.ts';
import type { Backend } from '../run/backend.ts';
import type { Machine } from '../system/machine.ts';
import type { TargetSelection } from '../targets/targets.ts';

/**
 * Makes the targets of a command ready to be started: says who is left out, and builds the others where
 * that has not been done. Interrupted, it returns early.
 * @throws UserError as `requireNode`, before anything is built, and as `buildTargets`.
 */
export async function prepare(
  { targets, leftOut, areBuilt }: TargetSelection,
  topologies: TopologyName[],
  machine: Machine,
  interrupted: AbortSignal,
  say: (text: string) => void,
  { buildTargets }: Pick<Backend, 'buildTargets'>,
): Promise<void> {
  for (const reason of leftOut) say(`Left out: ${reason}`);
  requireNode(targets, resolveTopologies(topologies, machine));
  if (!areBuilt) await buildTargets(targets, interrupted, say);
}
