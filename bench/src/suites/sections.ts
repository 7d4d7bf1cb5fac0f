import type { Section } from '../report/document.ts';
import { answerSection } from '../report/sections/answer.ts';
import {
  overheadSection,
  runtimeSection,
  topologySection,
} from '../report/sections/comparisons.ts';
import { conditionSection } from '../report/sections/condition.ts';
import { detailSection } from '../report/sections/detail.ts';
import {
  summarizeLowRate,
  summarizeOverheads,
  summarizeRuntimes,
  summarizeTopologies,
  summarizeVariants,
} from '../summary/comparisons.ts';
import type { Condition, Summary } from '../summary/summary.ts';

/** The sections of targets that are compared: each condition, and how the targets differ. */
export function comparingSections(summary: Summary, { details }: { details: boolean }): Section[] {
  const { conditions } = summary;
  const overheads = summarizeOverheads(summary);
  const low = summarizeLowRate(summary);
  // The answer shows the figures of these conditions already; their tables are details.
  const inAnswer = details || conditions.length === 1 ? [] : [overheads?.condition, low?.condition];
  const others = conditions.filter((each) => !inAnswer.includes(each));
  return [
    ...sectionOf(overheads, (each) => answerSection(each, low)),
    ...conditionSections(others, details),
    ...(details ? sectionOf(overheads, overheadSection) : []),
    ...copySections(summary),
    ...sectionOf(summarizeTopologies(summary), topologySection),
    ...detailSections(conditions, details),
  ];
}

export function conditionSections(conditions: readonly Condition[], details: boolean): Section[] {
  return conditions.map((each) => conditionSection(each, details));
}

/** Targets beside their copies: with another version of a dependency, and on another runtime. */
export function copySections(summary: Summary): Section[] {
  return [
    ...sectionOf(summarizeVariants(summary), (each) => overheadSection(each, 'Variants')),
    ...sectionOf(summarizeRuntimes(summary), runtimeSection),
  ];
}

export function detailSections(conditions: readonly Condition[], details: boolean): Section[] {
  return details ? conditions.map(detailSection) : [];
}

/** The sections of a summary; none without one. */
export function sectionOf<Summary>(
  summary: Summary | null | undefined,
  section: (summary: Summary) => Section | Section[],
): Section[] {
  return summary ? [section(summary)].flat() : [];
}
