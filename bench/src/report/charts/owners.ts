import { SERVICE_NAMES, SERVICES } from '../../services/index.ts';
import type { Condition } from '../../summary/conditions.ts';
import { type CpuConsumer, ownersOf } from '../../summary/owners.ts';
import type { Section } from '../document.ts';
import { type Parted, partColumns } from '../drawings.ts';
import { number } from '../format.ts';
import { conditionName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { tableOf } from '../tabulate.ts';

/** How many cores each process kept busy while each target was measured; nothing where none was. */
export function ownersSections(condition: Condition): Section[] {
  const rows = ownersOf(condition).map(({ summary, cores, together }): Parted => {
    const parts = cores.map(({ owner, cores: value }) => {
      return { name: ownerName(owner), value, text: number(value) };
    });
    return { name: summary.target.label, text: number(together), parts };
  });
  if (rows.length === 0) return [];
  return [
    section(`Who used the CPU, ${conditionName(condition)}`, [
      tableOf(['cores', ({ name }) => name], partColumns(rows), rows),
      paragraph('Cores kept busy in the median slice, by the processes that used them.'),
    ]),
  ];
}

function ownerName(owner: CpuConsumer): string {
  const service = SERVICE_NAMES.find((name) => name === owner);
  return service === undefined ? owner : SERVICES[service].label;
}
