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
import { summarizeRuntimes } from '../summary/runtimes.ts';
import type { Summary } from '../summary/summary.ts';

/** What is shown of targets side by side: each condition, and what tells them apart. */
export function comparingSections(
  { record, conditions }: Summary,
  { details }: { details: boolean },
): Section[] {
  const overheads = summarizeOverheads(record, conditions);
  const variants = summarizeVariants(record, conditions);
  const runtimes = summarizeRuntimes(record, conditions);
  const topologies = summarizeTopologies(record, conditions);
  const low = summarizeLowRate(record, conditions);
  // Where the answer tells what a condition shows, its table is left to the details.
  const told = details || conditions.length === 1 ? [] : [overheads?.condition, low?.condition];
  return [
    ...(overheads ? [answerSection(overheads, low)] : []),
    ...conditions
      .filter((each) => !told.includes(each))
      .map((each) => conditionSection(each, { details })),
    ...(overheads && details ? [overheadSection(overheads)] : []),
    ...(variants ? [variantSection(variants)] : []),
    ...(runtimes ? [runtimeSection(runtimes)] : []),
    ...(topologies ? [topologySection(topologies)] : []),
    ...(details ? conditions.map(detailSection) : []),
  ];
}
