/** The phases of a run, each with the arguments by which it lasts and what tells that it has begun. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Harness, on, SHORT, start, untilLoaded, untilStarted } from '../cli/harness.ts';
import type { OwnPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { odd, targetsIn } from './targets.ts';

interface Phase {
  args: (place: OwnPlace) => string[];
  reached: (harness: Harness, place: OwnPlace) => Promise<unknown>;
  /** Rounds that are over by then. */
  rounds: number;
}

const LONG = ['-c', '10', '-d', '600', '--launches', '1'];
const ROUNDS = ['-c', '10', '-d', '60', '--slice', '0.1', '--launches', '1', '--warmup', '0.1'];

async function until(holds: () => boolean): Promise<void> {
  expect(await eventually(holds, 60_000)).toBe(true);
}

const asked = (place: OwnPlace) => join(place.folder, 'asked');
const building = ({ command }: { command: string }) => command === 'sleep 300';

export const PHASES: Record<string, Phase> = {
  build: {
    args: (place) => [...targetsIn(place, { built: { build: ['sleep', '300'] } }), ...LONG],
    reached: (_, place) => until(() => place.processes().some(building)),
    rounds: 0,
  },
  launch: {
    args: () => [...on(['slow-start'], 'single'), ...LONG],
    reached: (_, place) => untilStarted(place, 'slow-start'),
    rounds: 0,
  },
  verification: {
    args: (place) => {
      rmSync(asked(place), { force: true });
      return [...targetsIn(place, { silent: { start: odd('silent', asked(place)) } }), ...LONG];
    },
    reached: (_, place) => until(() => existsSync(asked(place))),
    rounds: 0,
  },
  'warm-up': {
    args: () => [...on(['ok'], 'single'), '--contiguous', ...LONG, '--warmup', '60'],
    reached: async (_, place) => {
      // One request at a time; a verification, which has a connection too, is over soon.
      await untilLoaded(place, 'ok', 1);
      await sleep(500);
    },
    rounds: 0,
  },
  slices: {
    args: () => [...on(['ok'], 'single'), ...ROUNDS],
    reached: (harness) => harness.untilSays('a round is over', 2),
    rounds: 2,
  },
  'save and report': {
    args: () => [...on(['ok'], 'single'), ...SHORT],
    reached: (harness) => harness.untilSays('a round is over', 2),
    rounds: 2,
  },
};

/** Starts a run, with its record in this file, and waits until it is in a phase. */
export async function startIn(phase: Phase, place: OwnPlace, out: string): Promise<Harness> {
  const harness = start(place, ['frameworks', ...phase.args(place), '--out', out]);
  await phase.reached(harness, place);
  return harness;
}
