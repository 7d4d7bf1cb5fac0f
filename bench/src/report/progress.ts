import { createLogUpdate } from 'log-update';
import type { Step } from '../run/steps.ts';
import { duration } from './format.ts';
import type { Position } from './position.ts';
import { showsUnicode } from './terminal/ascii.ts';
import { lookOf, type Output } from './terminal/look.ts';

/** Shows a run while it goes on. */
export interface Progress {
  /** A launch of a group begins, with these steps, and these are planned after it. */
  launch(launch: number, steps: Step[], later: Step[]): void;
  step(step: Step): void;
  /** The table so far replaces the last one. */
  table(text: string): void;
  /** A line that stays. */
  say(text: string): void;
  end(): void;
}

const REDRAW_MS = 1000;
const BAR_COLUMNS = 24;

/** The bar: share, time left at the pace so far, or the time so far, and the current cell, within a width. */
export function barLine(
  share: number | null,
  elapsedS: number,
  text: string,
  width: number,
): string {
  const words =
    share === null
      ? [`${duration(elapsedS * 1e9)} so far`, text]
      : [wholePercent(share), `${timeLeft(share, elapsedS)} left`, text];
  const line = [...(share === null ? [] : [barOf(share)]), ...words].join('  ');
  const fitted = line.length <= width ? line : words.join('  ');
  return fitted.length <= width ? fitted : `${fitted.slice(0, Math.max(0, width - 1))}…`;
}

function barOf(share: number): string {
  const full = Math.round(share * BAR_COLUMNS);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)}`;
}

function timeLeft(share: number, elapsedS: number): string {
  return share > 0 ? duration(((elapsedS * (1 - share)) / share) * 1e9) : 'unknown';
}

function wholePercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A progress on this stream: a bar under the table on a terminal that can show one, plain lines elsewhere. */
export function startProgress(stream: Output, position: Position): Progress {
  const hasBar = stream.isTTY && showsUnicode(process.env);
  return hasBar ? onTerminal(stream, position) : inLines(stream, position);
}

function onTerminal(stream: Output, position: Position): Progress {
  const update = createLogUpdate(stream);
  const { width } = lookOf(stream);
  const startedMs = performance.now();
  let tableText = '';
  const draw = () => {
    const nowMs = performance.now();
    const elapsedS = (nowMs - startedMs) / 1000;
    const bar = barLine(position.share(nowMs), elapsedS, position.text, width);
    update(tableText === '' ? bar : `${tableText}\n\n${bar}`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    launch: (launch, steps, later) => {
      position.launch(launch, steps, later, performance.now());
      draw();
    },
    step: (step) => {
      position.step(step, performance.now());
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
  const startedMs = performance.now();
  const { text: shown } = lookOf(stream);
  const say = (text: string) => stream.write(`${shown(text)}\n`);
  const sayWhere = (text: string) => {
    const nowMs = performance.now();
    const share = position.share(nowMs);
    const done = share === null ? '' : `${wholePercent(share)}, `;
    say(`${done}${Math.round((nowMs - startedMs) / 1000)} s: ${text}`);
  };
  return {
    launch: (launch, steps, later) => {
      position.launch(launch, steps, later, performance.now());
      sayWhere(position.text);
    },
    step: (step) => position.step(step, performance.now()),
    table: (text) => {
      sayWhere('a round is over; the table so far:');
      say(`${text}\n`);
    },
    say,
    end: () => {},
  };
}
