import { createLogUpdate } from 'log-update';
import type { Step } from '../run/steps.ts';
import { duration } from './format.ts';
import type { Position } from './position.ts';
import { showsUnicode } from './terminal/ascii.ts';
import { lookOf, type Output } from './terminal/look.ts';

/** Shows a run while it is measured. */
export interface Progress {
  /** A launch of a group begins, with these steps; `later` are planned after it. */
  launch(launch: number, steps: Step[], later: Step[]): void;
  step(step: Step): void;
  /** The interim table replaces the last one. */
  table(text: string): void;
  /** A line that stays. */
  say(text: string): void;
  end(): void;
}

const REDRAW_MS = 1000;
const BAR_COLUMNS = 24;

/** A bar, the share that is over, the time left (or, without a share, the time so far), and the position, within a width. */
export function barLine(
  share: number | null,
  elapsedS: number,
  text: string,
  width: number,
): string {
  const time = share === null ? `${duration(elapsedS * 1e9)} so far` : leftText(share, elapsedS);
  const bar = share === null ? '' : `${barOf(share)}  `;
  const words = `${time}  ${text}`;
  const line = bar.length + words.length <= width ? `${bar}${words}` : words;
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

function barOf(share: number): string {
  const full = Math.round(share * BAR_COLUMNS);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)}`;
}

/** The share that is over, and the time left at the speed so far. */
function leftText(share: number, elapsedS: number): string {
  const left = share > 0 ? duration(((elapsedS * (1 - share)) / share) * 1e9) : 'unknown';
  return `${wholePercent(share)}  ${left} left`;
}

function wholePercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** The progress on a stream: a bar below the table on a terminal that can show one, plain lines elsewhere. */
export function startProgress(stream: Output, position: Position): Progress {
  const hasBar = stream.isTTY && showsUnicode(process.env);
  return hasBar ? onTerminal(stream, position) : inLines(stream, position);
}

function onTerminal(stream: Output, position: Position): Progress {
  const update = createLogUpdate(stream);
  const { width } = lookOf(stream);
  let tableText = '';
  const draw = () => {
    const bar = barLine(position.share(), position.elapsedS(), position.text, width);
    update(tableText === '' ? bar : `${tableText}\n\n${bar}`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    launch: (...begun) => {
      position.launch(...begun);
      draw();
    },
    step: (step) => {
      position.step(step);
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
    launch: (...begun) => {
      position.launch(...begun);
      sayAt(position.text);
    },
    step: (step) => position.step(step),
    table: (text) => {
      sayAt('a round is over; the table so far:');
      say(`${text}\n`);
    },
    say,
    end: () => {},
  };
}
