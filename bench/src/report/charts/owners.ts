import type { RunRecord } from '../../record/record.ts';
import { SERVICES } from '../../services/index.ts';
import type { Condition } from '../../summary/conditions.ts';
import { type CpuConsumer, ownersOf } from '../../summary/owners.ts';
import type { Bars } from '../document.ts';
import { number } from '../format.ts';
import { capitalized, conditionName } from '../names.ts';

/** Who kept how many cores busy while each target was measured; null where none was. */
export function ownersChart(record: RunRecord, condition: Condition): Bars | null {
  const cells = ownersOf(record, condition);
  if (cells.length === 0) return null;
  return {
    kind: 'bars',
    title: capitalized(conditionName(condition)),
    description: 'Cores that were kept busy in the median slice, by whose processes they were.',
    axis: { label: 'cores', unit: 1, scale: 'linear', origin: 0, ticks: null },
    rows: cells.map(({ summary, cores, together }) => ({
      name: summary.target.label,
      text: number(together),
      parts: cores.map(({ owner, cores: value }) => {
        return { name: ownerName(owner), value, text: number(value) };
      }),
    })),
  };
}

function ownerName(owner: CpuConsumer): string {
  switch (owner) {
    case 'server':
    case 'manager':
    case 'generator':
    case 'harness':
      return owner;
    default:
      return SERVICES[owner].label;
  }
}
