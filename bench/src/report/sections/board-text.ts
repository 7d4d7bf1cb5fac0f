import type { Estimate } from '../../math/statistics.ts';
import { SERVICES } from '../../services/index.ts';
import type { Beside, BoardCauses, Choice, Taken } from '../../summary/board-causes.ts';
import { HOME, LATEST } from '../../summary/board-names.ts';
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
  const choices = causes.choices.filter(({ over }) => isOf(LATEST, over));
  const sentences = [
    takenSentence(latest, LATEST),
    choices.length === 0
      ? ''
      : `Server and database together, ${list.format(choices.map(choiceText))}.`,
    preparing === null
      ? ''
      : `Where all of its queries are made as published, ${preparing.target.label} takes ` +
        `${moreText(preparing.cpuNs)} than ${preparing.over.label}.`,
    conclusionSentence(causes),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function homeText({ home, atHome, standard, choices, cores }: BoardCauses): string {
  const native = choices.filter(({ over }) => isOf(HOME, over));
  const sentences = [
    takenSentence(home, HOME),
    atHome === null ? '' : `${besideText(atHome)}.`,
    native.length === 0 ? '' : `There ${list.format(native.map(choiceText))}.`,
    standard === null ? '' : `${besideText(standard)}.`,
    ...cores.map(({ path, target, topology, times }) => {
      return (
        `On ${path} ${target.label} answers ${ratioRange(times)} times as many on ` +
        `${topologyName(topology)} cores as on one.`
      );
    }),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function isOf(path: string, { requests: [first] }: Choice['over']): boolean {
  return first?.request.path === path;
}

/** Who takes what of a request: of one that needs no service there is nothing more to say. */
function takenSentence(all: readonly Taken[], path: string): string {
  if (all.length === 0) return '';
  const parts = all.map(({ target, server, services }) => {
    const others = services.map(({ name, cpuPerRequest }) => {
      return `${timePlusMinus(cpuPerRequest)} of ${SERVICES[name].label}'s`;
    });
    const own = `${timePlusMinus(server)} of ${target.label}'s CPU time`;
    return path === HOME ? own : [own, ...others].join(' and ');
  });
  return `A request to ${path} takes ${list.format(parts)}.`;
}

function choiceText({ target, over, cpuNs }: Choice): string {
  return `${target.variant ?? target.label} takes ${moreText(cpuNs)} with ${over.label}`;
}

/** How much more something takes; one whose interval holds 0 may take nothing more. */
function moreText(cpuNs: Estimate): string {
  if (cpuNs.kind === 'none') return 'what is not known';
  const isMore = cpuNs.value > 0;
  const size =
    cpuNs.kind === 'interval'
      ? { ...cpuNs, ...sizeOf(cpuNs) }
      : { ...cpuNs, value: Math.abs(cpuNs.value) };
  const text = `${timePlusMinus(size)} ${isMore ? 'more' : 'less'}`;
  if (cpuNs.kind === 'interval' && cpuNs.low <= 0 && cpuNs.high >= 0) {
    return `${text} (which may be none)`;
  }
  return text;
}

function sizeOf({ value, low, high }: Extract<Estimate, { kind: 'interval' }>) {
  return value >= 0 ? { value, low, high } : { value: -value, low: -high, high: -low };
}

/** One beside another, as far as it can be told. */
function besideText({ target, other, comparison: { ratio: times, verdict } }: Beside): string {
  if (verdict === "can't tell" || times.kind === 'none') {
    return `Whether ${target.label} takes more or less CPU than ${other.label} can't be told`;
  }
  if (verdict === 'same') return `${target.label} takes as much CPU as ${other.label}`;
  return `${target.label} takes ${ratio(times.value)} times the CPU of ${other.label}`;
}
