import { createLogUpdate } from 'log-update';
import { sum } from 'simple-statistics';
import { CPU, type Figure, figureOf, THROUGHPUT } from '../figures/figures.ts';
import { type Cell, isStandard, loadOf, type Plan, topologyOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { type Step, stepsOfPlan } from '../run/steps.ts';
import type { Target } from '../targets/targets.ts';
import { amount, type Column, type Section, tableOf } from './document.ts';
import { duration, plural, plusMinus } from './format.ts';
import { loadWords, topologyName } from './names.ts';
import { unheaded } from './section.ts';
import { lookOf, type Output, showsUnicode } from './terminal/look.ts';

/** Shows a run while it is measured. */
export interface Progress extends Pick<Position, 'onLaunch' | 'onStep'> {
  /** The interim table replaces the last one. */
  table(text: string): void;
  /** A line that stays. */
  say(text: string): void;
  end(): void;
}

/** The table of an unfinished run: requests/s and CPU per request of every cell. */
export function interimSection(record: RunRecord): Section {
  const { plan, targets } = record;
  const conditions = Map.groupBy(plan.cells, ({ topology, load }) => {
    return `${topologyName(topologyOf(plan, topology))}, ${load}`;
  });
  const columns = [...conditions].flatMap(([condition, cells]) => {
    const column = (head: string, figure: Figure, scale = 1): Column<Target> => {
      return amount(condition, head, ({ name }) => {
        const cell = cells.find((each) => each.target === name && isStandard(each));
        return cell && plusMinus(figureOf(record, cell, figure), scale);
      });
    };
    return [column(`${condition}\nrequests/s`, THROUGHPUT), column('CPU\nµs/req', CPU, 1000)];
  });
  const measured = targets.filter(({ name }) => plan.cells.some(({ target }) => target === name));
  return unheaded(tableOf(['target', ({ label }) => label], columns, measured));
}

const REDRAW_MS = 1000;
const BAR_COLUMNS = 24;

/** A bar, the share that is over, the time left (or, without a share, the time so far), and the position, within a width. */
export function barLine(share: number | null, elapsedS: number, text: string, width: number) {
  const time = share === null ? `${duration(elapsedS * 1e9)} so far` : leftText(share, elapsedS);
  const full = Math.round((share ?? 0) * BAR_COLUMNS);
  const bar = share === null ? '' : `${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)}  `;
  const words = `${time}  ${text}`;
  const line = bar.length + words.length <= width ? `${bar}${words}` : words;
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

function leftText(share: number, elapsedS: number): string {
  const left = share > 0 ? duration(((elapsedS * (1 - share)) / share) * 1e9) : 'unknown';
  return `${wholePercent(share)}  ${left} left`;
}

function wholePercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** The progress of a plan on a stream: a bar below the table on a terminal that can show one, plain lines elsewhere. */
export function startProgress(stream: Output, plan: Plan, targets: readonly Target[]): Progress {
  const position = trackPosition(plan, targets);
  const hasBar = stream.isTTY && showsUnicode(process.env);
  return hasBar ? onTerminal(stream, position) : inLines(stream, position);
}

function onTerminal(stream: Output, position: Position): Progress {
  const update = createLogUpdate(stream);
  const { width } = lookOf(stream);
  let tableText = '';
  const draw = () => {
    const bar = barLine(position.share(), position.elapsedS(), position.text(), width);
    update(tableText === '' ? bar : `${tableText}\n\n${bar}`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    onLaunch: (...begun) => {
      position.onLaunch(...begun);
      draw();
    },
    onStep: (step) => {
      position.onStep(step);
      draw();
    },
    table: (text) => {
      tableText = text;
      draw();
    },
    say: (text) => {
      update.clear();
      stream.write(`${text}\n`);
      draw();
    },
    end: () => {
      clearInterval(timer);
      update.clear();
      update.done();
    },
  };
}

function inLines(stream: Output, position: Position): Progress {
  const { text: shown } = lookOf(stream);
  const say = (text: string) => stream.write(`${shown(text)}\n`);
  const sayAt = (text: string) => {
    const share = position.share();
    const done = share === null ? '' : `${wholePercent(share)}, `;
    say(`${done}${Math.round(position.elapsedS())} s: ${text}`);
  };
  return {
    onLaunch: (...begun) => {
      position.onLaunch(...begun);
      sayAt(position.text());
    },
    onStep: (step) => position.onStep(step),
    table: (text) => {
      sayAt('a round is over; the table so far:');
      say(`${text}\n`);
    },
    say,
    end: () => {},
  };
}

/** About how long steps take, s, until their real times are known after a launch; connecting is part of others. */
const GUESS_S = { start: 4, idle: 1, 'end of round': 0, stop: 0 };
const CONNECT_S = 0.25;
/** Of slices of several cells: for all together, and for each. */
const QUIET_S = 1;
const LEAD_IN_S = 0.8;
/** Of the time that servers have to settle. */
const SETTLING_SHARE = 0.5;

/** Where a run is, at a moment that is now by default. */
export type Position = ReturnType<typeof trackPosition>;

/** Follows a run through its plan. The remaining steps are expected to take as long as such steps took so far. */
export function trackPosition(
  plan: Plan,
  targets: readonly Target[],
  startedMs = performance.now(),
) {
  // The run adds launches to the plan.
  const launches = plan.launches.length;
  /** How long steps of the same kind took together, s, and how many there were. */
  const took = new Map<string, { sumS: number; count: number }>();
  let current: { step: Step; sinceMs: number } | null = null;
  /** In this launch after the current step, and in later ones. */
  let rest = stepsOfPlan(plan);
  let text = 'starting';

  const endStep = (nowMs: number) => {
    if (current === null) return;
    const key = keyOf(current.step);
    const { sumS, count } = took.get(key) ?? { sumS: 0, count: 0 };
    took.set(key, { sumS: sumS + (nowMs - current.sinceMs) / 1000, count: count + 1 });
    current = null;
  };
  const expectedS = (step: Step) => {
    const own = took.get(keyOf(step));
    return own ? own.sumS / own.count : guessS(step, plan);
  };
  const textOf = ([cell, ...others]: Cell[]) => {
    if (cell === undefined) return '';
    const target = targets.find(({ name }) => name === cell.target);
    const who =
      others.length === 0 ? (target?.label ?? cell.target) : `${others.length + 1} servers in turn`;
    const topology = topologyName(topologyOf(plan, cell.topology));
    return `${who}, ${topology}, ${loadWords(loadOf(plan, cell.load))}`;
  };
  const elapsedS = (nowMs = performance.now()) => (nowMs - startedMs) / 1000;
  return {
    elapsedS,
    text: () => text,
    /** A launch of a group begins, with these steps; `later` are planned after it. */
    onLaunch: (launch: number, steps: Step[], later: Step[], nowMs = performance.now()) => {
      endStep(nowMs);
      rest = [...steps, ...later];
      const [start] = steps;
      const servers = plural(start?.kind === 'start' ? start.servers.length : 0, 'server');
      const least = launch < launches && launches > 1 ? ` of at least ${launches}` : '';
      const total = plan.until === null ? ` of ${launches}` : least;
      text = `launch ${launch + 1}${total}: starting ${servers}`;
    },
    onStep: (step: Step, nowMs = performance.now()) => {
      endStep(nowMs);
      current = { step, sinceMs: nowMs };
      rest = rest.slice(rest.indexOf(step) + 1);
      if (step.kind === 'warm-up') text = `warming up ${textOf(step.cells)}`;
      if (step.kind === 'slices') text = textOf(step.cells);
    },
    /** The share of the time that is over; null with `--until`, since more launches may follow. */
    share: (nowMs = performance.now()) => {
      if (plan.until !== null) return null;
      const spentS = current ? (nowMs - current.sinceMs) / 1000 : 0;
      const currentS = current ? Math.max(0, expectedS(current.step) - spentS) : 0;
      const leftS = sum([currentS, ...rest.map(expectedS)]);
      return leftS === 0 ? 1 : elapsedS(nowMs) / (elapsedS(nowMs) + leftS);
    },
  };
}

function guessS(step: Step, plan: Plan): number {
  if (step.kind === 'warm-up') return CONNECT_S + warmUpS(plan);
  if (step.kind !== 'slices') return GUESS_S[step.kind];
  const { cells } = step;
  const besideS = cells.length > 1 ? QUIET_S + LEAD_IN_S * cells.length : 0;
  const slicesS = cells.map(({ load }) => CONNECT_S + loadOf(plan, load).sliceNs / 1e9);
  return sum([besideS, ...slicesS]);
}

function warmUpS({ warmup }: Plan): number {
  if (warmup.kind === 'paced') return warmup.ns / 1e9;
  return warmup.kind === 'settled' ? (SETTLING_SHARE * warmup.capNs) / 1e9 : 0;
}

/** The same for steps that are expected to take equally long. */
function keyOf(step: Step): string {
  if (!('cells' in step)) return step.kind;
  const ids = step.cells.map(({ id }) => id);
  return [step.kind, ...ids.toSorted()].join(' ');
}
