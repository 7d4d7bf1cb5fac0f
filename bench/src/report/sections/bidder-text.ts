import { type Estimate, pointOf } from '../../math/statistics.ts';
import type { Verdict } from '../../math/verdicts.ts';
import type { Ladder, LadderTable } from '../../summary/ladder.ts';
import type { MemoryRatio, Said, StepRow, StepsTable } from '../../summary/published-steps.ts';
import { latencyOfCell } from '../../summary/published-steps.ts';
import { latencyTime, perSecond, ratio, ratioRange, signedPlusMinus } from '../format.ts';

const list = new Intl.ListFormat('en-GB');

/** What of the published comparison carries over to this machine, and what made it so, from the figures alone. */
export function bidderSentences(table: StepsTable, ladders: LadderTable | null): string[] {
  const { published, quiet, ratios } = table;
  // As it was published, if it was measured so.
  const read = published ?? quiet;
  return [
    ...(read ? cpuSentences(read) : []),
    ...(read ? latencySentence(read.rows) : []),
    ...ratios.map(memorySentence),
    ...(quiet ? closerSentence(quiet.rows) : []),
    ...causeSentences(ladders?.ladders ?? []),
  ];
}

/** Gin's CPU time beside Nest's, as a verdict has it. */
const FOUND: Record<Verdict, string> = {
  slower: 'Gin took more CPU for a request than Nest',
  faster: 'Gin took less CPU for a request than Nest',
  same: 'Gin took as much CPU for a request as Nest',
  "can't tell": "Gin and Nest can't be told apart",
};

function cpuSentences({ rows, condition }: NonNullable<StepsTable['published']>): string[] {
  const { load } = condition;
  const rate = load.kind === 'open' ? `At ${perSecond(load.ratePerS)} requests/s` : 'Here';
  return rows.flatMap(({ step, said, comparison: { ratio: times, verdict } }) => {
    if (said === 'closer') return [];
    const found = `${rate}, at step ${step}, ${FOUND[verdict]} (${ratioRange(times)} times)`;
    return [`${found}: that it ${SAID[said]} ${carried(said, verdict)}.`];
  });
}

const SAID: Record<Exclude<Said, 'closer'>, string> = {
  more: 'took more',
  same: 'took about the same',
};

/** Whether what was said holds here. */
function carried(said: Exclude<Said, 'closer'>, verdict: Verdict): string {
  if (verdict === "can't tell") return 'can neither be confirmed nor refuted';
  const holds = said === 'more' ? verdict === 'slower' : verdict === 'same';
  return holds ? 'carries over' : 'does not carry over';
}

function latencySentence(rows: readonly StepRow[]): string[] {
  const told = rows.flatMap(({ step, nest, gin }) => {
    const [of, beside] = [latencyOfCell(nest), latencyOfCell(gin)];
    if (of === null || beside === null) return [];
    return [`${latencyTime(of.p99)} and ${latencyTime(beside.p99)} ms at step ${step}`];
  });
  if (told.length === 0) return [];
  return [
    `Latency was published as nearly the same; here the p99 of Nest and of Gin was ${list.format(told)}.`,
  ];
}

function memorySentence({
  step,
  published,
  measured: { ratio: times, verdict },
}: MemoryRatio): string {
  const found = `at step ${step} Nest's memory under load was ${ratioRange(times)} times Gin's`;
  const was = `(published: ${ratio(published)} times)`;
  switch (verdict) {
    case 'slower':
      return `In memory Go is the better here too: ${found} ${was}.`;
    case 'faster':
    case 'same':
      return `That Go is better in memory does not carry over: ${found} ${was}.`;
    case "can't tell":
      return `Whether Go is better in memory is not known yet: ${found} ${was}.`;
  }
}

/** Whether a step brought the two closer to each other than the one before it. */
function closerSentence(rows: readonly StepRow[]): string[] {
  return rows.flatMap(({ step, said, comparison }, place) => {
    const before = rows[place - 1];
    if (said !== 'closer' || before === undefined) return [];
    const [then, now] = [apart(before.comparison.ratio), apart(comparison.ratio)];
    const steps = `between step ${before.step} (${ratioRange(before.comparison.ratio)} times) and step ${step} (${ratioRange(comparison.ratio)} times), as single processes`;
    if (then === null || now === null) return [];
    if (now.most < then.least) return [`That they came closer ${steps}, carries over.`];
    if (now.least > then.most) return [`That they came closer ${steps}, does not carry over.`];
    return [`Whether they came closer ${steps}, is not known.`];
  });
}

/** How far a ratio is from 1 at the least and at the most, on the log scale; null without an interval. */
function apart(times: Estimate): { least: number; most: number } | null {
  if (times.kind !== 'interval') return null;
  const ends = [Math.abs(Math.log(times.low)), Math.abs(Math.log(times.high))];
  const isHeld = times.low <= 1 && times.high >= 1;
  return { least: isHeld ? 0 : Math.min(...ends), most: Math.max(...ends) };
}

/** What each published choice costs each of them, those with a verdict first. */
function causeSentences(ladders: readonly Ladder[]): string[] {
  const changes = [...new Set(ladders.flatMap(({ rungs }) => rungs.map(({ change }) => change)))];
  const told = changes.flatMap((change) => {
    const costs = ladders.flatMap(({ root, rungs }) => {
      const rung = rungs.find((each) => each.change === change);
      const cost = (rung?.inOrder ?? rung?.alone)?.costs.at(-1);
      return cost === undefined || pointOf(cost.comparison.difference) === null
        ? []
        : [{ root, cost }];
    });
    if (costs.length === 0) return [];
    const isShown = costs.some(({ cost }) =>
      ['slower', 'faster'].includes(cost.comparison.verdict),
    );
    const text = costs.map(({ root, cost: { comparison } }) => {
      const doubt = comparison.verdict === "can't tell" ? ', which may be nothing' : '';
      return `${root.label} ${signedPlusMinus(comparison.difference, 1000)} µs${doubt}`;
    });
    return [{ isShown, text: `"${change}" costs ${list.format(text)}` }];
  });
  if (told.length === 0) return [];
  const [shown, hidden] = [
    told.filter(({ isShown }) => isShown),
    told.filter(({ isShown }) => !isShown),
  ];
  const all = [...shown, ...hidden].map(({ text }) => text).join('; ');
  return [`What made it so, in CPU of a request, server and services together: ${all}.`];
}
