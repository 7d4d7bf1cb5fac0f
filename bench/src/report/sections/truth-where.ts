import { PART_TOLERANCE, type PartFinding } from '../../studies/truth/where-findings.ts';
import type { Section } from '../document.ts';
import { asked, microseconds, percent, plusMinus } from '../format.ts';
import { paragraph, section } from '../section.ts';
import { amount, type Column, tableOf, words } from '../tabulate.ts';
import { findingText } from './truth.ts';
import { partName } from './where-text.ts';

const COLUMNS: Column<PartFinding>[] = [
  words('', 'whose', ({ known }) => partName(known.part)),
  amount('', 'known\nµs/request', ({ clockNs: { low, high } }) => {
    if (!Number.isFinite(low)) return null;
    return low === high ? microseconds(low) : `${microseconds(low)} to ${microseconds(high)}`;
  }),
  amount('', 'charged\nµs/request', ({ measured }) => plusMinus(measured, 1000)),
  amount('', 'off by', ({ off }) => (Number.isFinite(off) ? percent(off) : null)),
  words('', '', ({ finding }) => findingText(finding)),
];

/** Known owners of known costs, and whether profiles charge them. */
export function truthWhereSection(findings: readonly PartFinding[]): Section {
  const lost = findings.filter(({ finding }) => finding !== 'found');
  const outcome =
    lost.length === 0
      ? 'Profiles charge every known cost to its owner.'
      : `Not found: ${lost.map(({ known }) => known.label).join('; ')}.`;
  return section('Known owners beside those that profiles charge', [
    tableOf(['the truth', ({ known }) => known.label], COLUMNS, findings),
    paragraph(
      `${outcome} Each server does something more than the one that they stand over, and its own clocks know ` +
        'how long that takes while nobody samples: around the work from the median to the mean, or what the ' +
        `garbage collector took more. It is found when its owner is charged that within ±${asked(PART_TOLERANCE)}.`,
    ),
  ]);
}
