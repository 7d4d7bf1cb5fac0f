import type { Load, PilotResult } from '../../src/plan/loads.ts';
import type { LoadAssignment } from '../../src/plan/make-plan.ts';
import { resolveTopologies } from '../../src/plan/topology.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';

const NONE: PilotResult = { kind: 'none' };

/** What a kind of run puts on which topologies, on a machine with so many cores. */
export function placedBy(
  suite: Suite,
  parts: Partial<RunOptions> = {},
  pilot = NONE,
  count = 4,
): LoadAssignment[] {
  const cores = Array.from({ length: count }, (_, core) => core);
  const machine = makeMachine({ cores, parallelism: count });
  const options = makeOptions(parts);
  const topologies = resolveTopologies(options.topologies, machine);
  return suite.loads({ options, topologies, machine, pilot });
}

/** The loads of a kind of run. */
export function loadsOf(...asked: Parameters<typeof placedBy>): Load[] {
  return placedBy(...asked).map(({ load }) => load);
}

/** The names of loads. */
export function idsOf(loads: readonly Load[]): string[] {
  return loads.map(({ id }) => id);
}

/** The names of the topologies that the load of this name is put on. */
export function topologiesOf(id: string, placed: readonly LoadAssignment[]): string[] | undefined {
  return placed.find(({ load }) => load.id === id)?.on.map((topology) => topology.id);
}
