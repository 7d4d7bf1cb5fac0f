import { generatorsNeeded } from '../load/bottleneck.ts';
import { type Cell, cellOf, isProbe, loadOf, topologyOf } from '../plan/plan.ts';
import type { RunRecord, Slice } from '../record/record.ts';

/** How many generators each topology has under each load: one, until a slice shows that it is too few. */
export class GeneratorCounts {
  readonly #more = new Map<string, number>();

  /** The number for a cell's topology and load. */
  of(cell: Cell): number {
    return this.#more.get(conditionOf(cell)) ?? 1;
  }

  /**
   * Adds a generator where this slice of a record shows that they were the limit. A topology under a
   * load is measured with one number of generators: its slices so far leave the record, and are
   * returned. So it is done in the first launch only, and only where slices can be taken again.
   */
  relieve(record: RunRecord, { cell: id, launch, measurement }: Slice): Slice[] {
    const { plan, slices } = record;
    const cell = cellOf(plan, id);
    const load = loadOf(plan, cell.load);
    if (launch > 0 || load.kind === 'open' || load.method === 'contiguous') return [];
    if (isProbe(plan, id)) return [];
    const needed = generatorsNeeded(measurement, topologyOf(plan, cell.topology), load);
    if (needed === measurement.generators) return [];
    this.#more.set(conditionOf(cell), needed);
    const isKept = (slice: Slice) => conditionOf(cellOf(plan, slice.cell)) !== conditionOf(cell);
    record.slices = slices.filter(isKept);
    const left = new Set(record.slices.map((slice) => slice.cell));
    record.profiles = record.profiles.filter(({ cell }) => left.has(cell));
    record.collected = record.collected.filter(({ cell }) => left.has(cell));
    return slices.filter((slice) => !isKept(slice));
  }
}

function conditionOf({ topology, load }: Cell): string {
  return `${topology}/${load}`;
}
