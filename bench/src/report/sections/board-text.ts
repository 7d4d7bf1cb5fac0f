import type { Estimate } from '../../math/statistics.ts';
import { SERVICES } from '../../services/index.ts';
import type { Beside, BoardCauses, Choice, Taken } from '../../summary/board-causes.ts';
import {
  type BoardPath,
  boardPathOf,
  HOME,
  LATEST,
  serverLabel,
} from '../../summary/board-names.ts';
import type { Section } from '../document.ts';
import { ratio, ratioRange, timePlusMinus } from '../format.ts';
import { topologyName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { conclusionSentence } from './board-conclusion.ts';

/** Where the time of the published two goes, in plain words; nothing where none of it was measured. */
export function boardText(causes: BoardCauses): Section[] {
  const paragraphs = [latestText(causes), homeText(causes)].filter((text) => text !== '');
  if (paragraphs.length === 0) return [];
  return [section('Where the time goes', paragraphs.map(paragraph))];
}

const list = new Intl.ListFormat('en-GB');

function latestText(causes: BoardCauses): string {
  const { latest, preparing } = causes;
  return joined([
    takenSentence(latest, LATEST),
    choiceSentence(causes.choices, LATEST),
    preparing === null
      ? ''
      : `Over ${serverLabel(preparing.over)}, ${serverLabel(preparing.target)} takes ` +
        `${moreText(preparing.cpuNs)}: what its other choices cost where there are so many queries.`,
    conclusionSentence(causes),
  ]);
}

function homeText({ home, atHome, standard, choices, cores }: BoardCauses): string {
  return joined([
    takenSentence(home, HOME),
    atHome === null ? '' : `${besideText(atHome)}.`,
    choiceSentence(choices, HOME),
    standard === null ? '' : `${besideText(standard)}.`,
    ...cores.map(({ path, target, topology, times }) => {
      return (
        `On ${path} ${serverLabel(target)} answers ${ratioRange(times)} times as many on ` +
        `${topologyName(topology)} cores as on one.`
      );
    }),
  ]);
}

function joined(sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Who takes what of a request; without a database there is the server alone. */
function takenSentence(all: readonly Taken[], path: BoardPath): string {
  if (all.length === 0) return '';
  const parts = all.map(({ target, server, services }) => {
    const own = `${serverLabel(target)} ${timePlusMinus(server)} of CPU time`;
    const others = services.map(({ name, cpuPerRequest }) => {
      return ` and ${SERVICES[name].label} ${timePlusMinus(cpuPerRequest)} for it`;
    });
    return path === HOME ? own : [own, ...others].join('');
  });
  return `A request to ${path} takes ${parts.join('; ')}.`;
}

/** What each choice on a path takes, server and database together, with each of those that can make it. */
function choiceSentence(all: readonly Choice[], path: BoardPath): string {
  const choices = all.filter(({ over }) => boardPathOf(over) === path);
  if (choices.length === 0) return '';
  const parts = [...Map.groupBy(choices, ({ target }) => target.variant ?? target.label)].map(
    ([words, those]) => {
      const sizes = those.map(({ over, cpuNs }) => {
        return `${moreText(cpuNs)} with ${serverLabel(over)}`;
      });
      return `“${words}” takes ${list.format(sizes)}`;
    },
  );
  const who = path === HOME ? 'Of its CPU time' : 'Of server and database together';
  return `${who}, ${parts.join('; ')}.`;
}

/** How much more something takes; one whose interval holds 0 may take nothing more. */
function moreText(cpuNs: Estimate): string {
  if (cpuNs.kind === 'none') return 'what is not known';
  const isMore = cpuNs.value > 0;
  const text = `${timePlusMinus(isMore ? cpuNs : negated(cpuNs))} ${isMore ? 'more' : 'less'}`;
  if (cpuNs.kind === 'interval' && cpuNs.low <= 0 && cpuNs.high >= 0) {
    return `${text} (which may be none)`;
  }
  return text;
}

function negated(from: Exclude<Estimate, { kind: 'none' }>): Estimate {
  if (from.kind === 'point') return { kind: 'point', value: -from.value };
  return { kind: 'interval', value: -from.value, low: -from.high, high: -from.low };
}

/** One beside another, as far as it can be told. */
function besideText({ target, other, comparison: { ratio: times, verdict } }: Beside): string {
  if (verdict === "can't tell" || times.kind === 'none') {
    return `Whether ${serverLabel(target)} takes more or less CPU than ${serverLabel(other)} can't be told`;
  }
  if (verdict === 'same')
    return `${serverLabel(target)} takes as much CPU as ${serverLabel(other)}`;
  return `${serverLabel(target)} takes ${ratio(times.value)} times the CPU of ${serverLabel(other)}`;
}
