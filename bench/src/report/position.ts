import { cellOf, loadOf, type Plan, topologyOf } from '../plan/plan.ts';
import type { Step } from '../run/steps.ts';
import { loadWords, topologyName } from './names.ts';

/** About what steps take before any has been seen, s; a launch later it is known. */
const START_S = 4;
const CONNECT_S = 0.25;
const IDLE_S = 1;
const QUIET_S = 1;
const LEAD_IN_S = 0.8;
const SETTLING_SHARE = 0.5;

/**
 * Where a run is, and how far that is: of the steps that are still to come, by what such steps took so
 * far. With `--until` nobody knows how far: more launches may follow.
 */
export class Position {
  readonly #plan: Plan;
  readonly #labels: ReadonlyMap<string, string>;
  readonly #launches: number;
  readonly #startedMs: number;
  /** What steps of the same kind took together, s, and how many there were. */
  readonly #took = new Map<string, { sumS: number; count: number }>();
  #current: { step: Step; sinceMs: number } | null = null;
  /** In this launch, after the current step, and in later ones. */
  #rest: Step[];
  #later: Step[] = [];
  #text = 'starting';

  constructor(plan: Plan, labels: ReadonlyMap<string, string>, planned: Step[], nowMs: number) {
    this.#plan = plan;
    this.#labels = labels;
    // The run adds to the plan's own list.
    this.#launches = plan.launches.length;
    this.#rest = planned;
    this.#startedMs = nowMs;
  }

  /** A launch of a group begins, with these steps, and these are planned after it. */
  launch(launch: number, steps: Step[], later: Step[], nowMs: number): void {
    this.#end(nowMs);
    [this.#rest, this.#later] = [steps, later];
    const [start] = steps;
    const count = start?.kind === 'start' ? start.servers.length : 0;
    const of = this.#plan.until === null ? 'of' : 'of at least';
    this.#text = `launch ${launch + 1} ${of} ${this.#launches}: starting ${count} ${count === 1 ? 'server' : 'servers'}`;
  }

  /** A step of the launch begins. */
  step(step: Step, nowMs: number): void {
    this.#end(nowMs);
    this.#current = { step, sinceMs: nowMs };
    this.#rest = this.#rest.slice(this.#rest.indexOf(step) + 1);
    if (step.kind === 'warm-up') this.#text = `warming up ${this.#textOf([step.cell])}`;
    if (step.kind === 'slices') this.#text = this.#textOf(step.cells);
  }

  /** Where it is, in words. */
  get text(): string {
    return this.#text;
  }

  /** The share of the time that is over; null where nobody knows. */
  share(nowMs: number): number | null {
    if (this.#plan.until !== null) return null;
    const elapsedS = (nowMs - this.#startedMs) / 1000;
    const current = this.#current;
    const inStepS = current ? (nowMs - current.sinceMs) / 1000 : 0;
    const currentS = current ? Math.max(0, this.#expected(current.step) - inStepS) : 0;
    const leftS = [...this.#rest, ...this.#later].reduce((sum, step) => {
      return sum + this.#expected(step);
    }, currentS);
    return leftS === 0 ? 1 : elapsedS / (elapsedS + leftS);
  }

  #end(nowMs: number): void {
    if (this.#current === null) return;
    const { step, sinceMs } = this.#current;
    const key = keyOf(step);
    const { sumS, count } = this.#took.get(key) ?? { sumS: 0, count: 0 };
    this.#took.set(key, { sumS: sumS + (nowMs - sinceMs) / 1000, count: count + 1 });
    this.#current = null;
  }

  #expected(step: Step): number {
    const seen = this.#took.get(keyOf(step));
    return seen ? seen.sumS / seen.count : this.#guess(step);
  }

  #guess(step: Step): number {
    switch (step.kind) {
      case 'start':
        return START_S;
      case 'warm-up': {
        const { warmup } = this.#plan;
        if (warmup.kind === 'paced') return warmup.ns / 1e9 + CONNECT_S;
        return warmup.kind === 'settled' ? (SETTLING_SHARE * warmup.capNs) / 1e9 : CONNECT_S;
      }
      case 'slices': {
        const eachS = step.cells.map((id) => {
          return CONNECT_S + loadOf(this.#plan, cellOf(this.#plan, id).load).sliceNs / 1e9;
        });
        const besideS = step.cells.length > 1 ? QUIET_S + LEAD_IN_S * step.cells.length : 0;
        return eachS.reduce((sum, seconds) => sum + seconds, besideS);
      }
      case 'idle':
        return IDLE_S;
      case 'end of round':
      case 'stop':
        return 0;
    }
  }

  #textOf([id = '', ...others]: string[]): string {
    const cell = cellOf(this.#plan, id);
    const label = this.#labels.get(cell.target) ?? cell.target;
    const who = others.length === 0 ? label : `${others.length + 1} servers in turn`;
    const topology = topologyName(topologyOf(this.#plan, cell.topology));
    return `${who}, ${topology}, ${loadWords(loadOf(this.#plan, cell.load))}`;
  }
}

/** Steps of which one is expected to take as long as another. */
function keyOf(step: Step): string {
  if ('cells' in step) return `${step.kind} ${step.cells.toSorted().join(' ')}`;
  return 'cell' in step ? `${step.kind} ${step.cell}` : step.kind;
}
