import type { Summary } from '../summary/summary.ts';
import type { Section } from './document.ts';
import { clusterText } from './sections/cluster-text.ts';
import { conditionSection } from './sections/condition.ts';
import { detailSection } from './sections/details.ts';
import { overheadSection } from './sections/overhead.ts';
import { overloadSection } from './sections/overload.ts';
import { publishedSection } from './sections/published.ts';
import { rateSections } from './sections/rate.ts';
import { scalingSection } from './sections/scaling.ts';
import { taxSection } from './sections/tax.ts';
import { topologySection } from './sections/topologies.ts';
import { truthSection } from './sections/truth.ts';

/** What is shown of a run, in this order; `details` shows every cell once more. */
export function sectionsOf(summary: Summary, { details }: { details: boolean }): Section[] {
  const { truth, conditions, published, record } = summary;
  return [
    ...(truth ? [truthSection(truth)] : []),
    ...mainSections(summary),
    ...(details ? conditions.map(detailSection) : []),
    ...(published ? [publishedSection(published, record.plan.topologies)] : []),
  ];
}

/** What the kind of run is about. */
function mainSections(summary: Summary): Section[] {
  const { conditions, overheads, topologies, scaling, overload, rates, tax } = summary;
  if (scaling) {
    const alone = conditions.flatMap(({ load, cells }) => (load.id === 'alone' ? cells : []));
    return [
      scalingSection(scaling, alone),
      ...(overload ? [overloadSection(overload)] : []),
      ...clusterText(scaling, overload),
    ];
  }
  const compared = overheads ? [overheadSection(overheads)] : [];
  if (rates) return [...rateSections(rates), ...compared];
  if (tax) return tax.map(taxSection);
  return [
    ...conditions.map(conditionSection),
    ...compared,
    ...(topologies ? [topologySection(topologies)] : []),
  ];
}
