import { createLogUpdate } from 'log-update';
import { type Cell, cellOf, type Group, loadOf, type Plan } from '../plan/plan.ts';
import { duration } from './format.ts';

/** Shows a run while it goes on. */
export interface Progress {
  launch(launch: number, group: Group): void;
  cell(cell: Cell, purpose: 'warm-up' | 'slice'): void;
  /** The table so far replaces the last one. */
  table(text: string): void;
  /** A line that stays. */
  say(text: string): void;
  end(): void;
}

/** What a start of a group and the connecting of a slice take, about, s; only the time left uses it. */
const START_S = 4;
const CONNECT_S = 0.25;
const REDRAW_MS = 1000;
const BAR_COLUMNS = 24;

/**
 * Where a run is, and how far that is: planned work done over planned work. With `--until` nobody
 * knows how far: more launches may follow.
 */
export class Position {
  readonly #plan: Plan;
  readonly #labels: Map<string, string>;
  readonly #launches: number;
  readonly #totalS: number;
  #doneS = 0;
  #currentS = 0;
  #text = 'starting';

  constructor(plan: Plan, labels: Map<string, string>) {
    this.#plan = plan;
    this.#labels = labels;
    // The run adds to the plan's own list.
    this.#launches = plan.launches.length;
    const groups = plan.launches.flat();
    this.#totalS = groups.reduce((sum, group) => sum + START_S + this.#workOf(group), 0);
  }

  launch(launch: number, group: Group): void {
    this.#advance(START_S);
    const count = this.#serversOf(group);
    const of = this.#plan.until === null ? 'of' : 'of at least';
    this.#text = `launch ${launch + 1} ${of} ${this.#launches}: starting ${count} ${count === 1 ? 'server' : 'servers'}`;
  }

  cell(cell: Cell, purpose: 'warm-up' | 'slice'): void {
    this.#advance(this.#lengthOf(cell, purpose));
    const label = this.#labels.get(cell.target) ?? cell.target;
    const verb = purpose === 'slice' ? '' : 'warming up ';
    this.#text = `${verb}${label}, ${cell.topology}, ${cell.load}`;
  }

  /** Where it is, in words. */
  get text(): string {
    return this.#text;
  }

  /** The share of the work that is done, `sinceS` into the current step; null where nobody knows. */
  share(sinceS: number): number | null {
    if (this.#plan.until !== null) return null;
    const share = (this.#doneS + Math.min(sinceS, this.#currentS)) / this.#totalS;
    return Math.min(1, share);
  }

  #advance(nextS: number): void {
    this.#doneS += this.#currentS;
    this.#currentS = nextS;
  }

  #lengthOf(cell: Cell, purpose: 'warm-up' | 'slice'): number {
    const { warmupNs } = this.#plan;
    return (
      CONNECT_S + (purpose === 'slice' ? loadOf(this.#plan, cell.load).sliceNs : warmupNs) / 1e9
    );
  }

  #serversOf(group: Group): number {
    return new Set(group.cells.map((id) => cellOf(this.#plan, id).server)).size;
  }

  #workOf(group: Group): number {
    const { warmupNs } = this.#plan;
    const warmups = warmupNs === 0 ? 0 : this.#serversOf(group) * (CONNECT_S + warmupNs / 1e9);
    const slices = group.rounds.flat().map((id) => this.#lengthOf(cellOf(this.#plan, id), 'slice'));
    return slices.reduce((sum, length) => sum + length, warmups);
  }
}

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

/** A progress on this stream: a bar under the table on a terminal, plain lines elsewhere. */
export function startProgress(
  stream: NodeJS.WriteStream,
  plan: Plan,
  labels: Map<string, string>,
): Progress {
  const position = new Position(plan, labels);
  return stream.isTTY ? onTerminal(stream, position) : inLines(stream, position);
}

function onTerminal(stream: NodeJS.WriteStream, position: Position): Progress {
  const update = createLogUpdate(stream);
  const startedMs = performance.now();
  let stepMs = startedMs;
  let tableText = '';
  const draw = () => {
    const now = performance.now();
    const share = position.share((now - stepMs) / 1000);
    const bar = barLine(share, (now - startedMs) / 1000, position.text, stream.columns);
    update(tableText === '' ? bar : `${tableText}\n\n${bar}`);
  };
  const step = () => {
    stepMs = performance.now();
    draw();
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    launch: (launch, group) => {
      position.launch(launch, group);
      step();
    },
    cell: (cell, purpose) => {
      position.cell(cell, purpose);
      step();
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

function inLines(stream: NodeJS.WriteStream, position: Position): Progress {
  const startedMs = performance.now();
  const say = (text: string) => stream.write(`${text}\n`);
  const sayWhere = (text: string) => {
    const elapsedS = (performance.now() - startedMs) / 1000;
    const share = position.share(0);
    const done = share === null ? '' : `${wholePercent(share)}, `;
    say(`${done}${Math.round(elapsedS)} s: ${text}`);
  };
  return {
    launch: (launch, group) => {
      position.launch(launch, group);
      sayWhere(position.text);
    },
    cell: (cell, purpose) => position.cell(cell, purpose),
    table: (text) => {
      sayWhere('a round is over; the table so far:');
      say(`${text}\n`);
    },
    say,
    end: () => {},
  };
}
