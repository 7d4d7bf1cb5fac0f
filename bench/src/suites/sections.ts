import type { Section } from '../report/document.ts';
import { answerSection } from '../report/sections/answer.ts';
import { conditionSection } from '../report/sections/condition.ts';
import { detailSection } from '../report/sections/details.ts';
import { overheadSection, variantSection } from '../report/sections/overhead.ts';
import { runtimeSection } from '../report/sections/runtimes.ts';
import { topologySection } from '../report/sections/topologies.ts';
import {
  summarizeLowRate,
  summarizeOverheads,
  summarizeTopologies,
  summarizeVariants,
} from '../summary/comparisons.ts';
import type { Condition } from '../summary/conditions.ts';
import { summarizeRuntimes } from '../summary/runtimes.ts';
import type { Summary } from '../summary/summary.ts';

/** What is shown of targets side by side: each condition, and what tells them apart. */
export function comparingSections(
  { record, conditions }: Summary,
  { details }: { details: boolean },
): Section[] {
  const overheads = summarizeOverheads(record, conditions);
  const low = summarizeLowRate(record, conditions);
  // Where the answer tells what a condition shows, its table is left to the details.
  const told = details || conditions.length === 1 ? [] : [overheads?.condition, low?.condition];
  return [
    ...sectionOf(overheads, (each) => answerSection(each, low)),
    ...conditions
      .filter((each) => !told.includes(each))
      .map((each) => conditionSection(each, { details })),
    ...(details ? sectionOf(overheads, overheadSection) : []),
    ...sectionOf(summarizeVariants(record, conditions), variantSection),
    ...sectionOf(summarizeRuntimes(record, conditions), runtimeSection),
    ...sectionOf(summarizeTopologies(record, conditions), topologySection),
    ...detailSections(conditions, details),
  ];
}

/** Every cell once more, where details are asked for. */
export function detailSections(conditions: readonly Condition[], details: boolean): Section[] {
  return details ? conditions.map(detailSection) : [];
}

/** The section of what there is; none where there is nothing. */
export function sectionOf<Summary>(
  summary: Summary | null | undefined,
  section: (summary: Summary) => Section,
): Section[] {
  return summary ? [section(summary)] : [];
}
