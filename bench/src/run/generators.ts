import { idleShare, LEAST_IDLE_SHARE } from '../load/bottleneck.ts';
import { type Cell, cellOf, isProbe, loadOf, topologyOf } from '../plan/plan.ts';
import type { RunRecord, Slice } from '../record/record.ts';

/** The number of generators for each topology and load: one, until a slice shows that this is too few. */
export class GeneratorCounts {
  readonly #counts = new Map<string, number>();

  /** Those of the slices that the record has, if its run is continued. */
  constructor({ plan, slices }: RunRecord) {
    for (const { cell, measurement } of slices) {
      this.#counts.set(conditionOf(cellOf(plan, cell)), measurement.generators);
    }
  }

  of(cell: Cell): number {
    return this.#counts.get(conditionOf(cell)) ?? 1;
  }

  /**
   * Adds a generator if a slice of the first launch shows that they were the limit, and a core is spare. Returns the
   * slices that leave the record for that, to be taken again.
   */
  relieve(record: RunRecord, { cell: id, launch, measurement }: Slice): Slice[] {
    const { plan, slices } = record;
    const cell = cellOf(plan, id);
    const load = loadOf(plan, cell.load);
    const isFixed = load.kind === 'open' || load.method === 'contiguous' || isProbe(plan, id);
    if (launch > 0 || isFixed || idleShare(measurement) >= LEAST_IDLE_SHARE) return [];
    const { generators } = measurement;
    const { spareCores } = topologyOf(plan, cell.topology);
    const needed = Math.min(generators + 1, 1 + spareCores.length, load.connections);
    if (needed === generators) return [];
    // All slices of a topology under a load need the same number.
    const condition = conditionOf(cell);
    this.#counts.set(condition, needed);
    const isKept = (each: { cell: string }) => conditionOf(cellOf(plan, each.cell)) !== condition;
    record.slices = slices.filter(isKept);
    record.profiles = record.profiles.filter(isKept);
    record.collected = record.collected.filter(isKept);
    return slices.filter((slice) => !isKept(slice));
  }
}

function conditionOf({ topology, load }: Cell): string {
  return `${topology}/${load}`;
}
