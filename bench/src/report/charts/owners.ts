import type { RunRecord } from '../../record/record.ts';
import { SERVICES } from '../../services/index.ts';
import type { Condition } from '../../summary/conditions.ts';
import { type CpuConsumer, ownersOf } from '../../summary/owners.ts';
import type { Section } from '../document.ts';
import { type Parted, partColumns } from '../drawings.ts';
import { number } from '../format.ts';
import { conditionName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { tableOf } from '../tabulate.ts';

/** Who kept how many cores busy while each target was measured; nothing where none was. */
export function ownersSections(record: RunRecord, condition: Condition): Section[] {
  const rows = ownersOf(record, condition).map(({ summary, cores, together }): Parted => {
    const parts = cores.map(({ owner, cores: value }) => {
      return { name: ownerName(owner), value, text: number(value) };
    });
    return { name: summary.target.label, text: number(together), parts };
  });
  if (rows.length === 0) return [];
  return [
    section(`Who used the CPU, ${conditionName(condition)}`, [
      tableOf(['cores', ({ name }) => name], partColumns(rows), rows),
      paragraph('Cores that were kept busy in the median slice, by whose processes they were.'),
    ]),
  ];
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
