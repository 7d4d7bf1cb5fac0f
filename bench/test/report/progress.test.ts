import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { Position } from '../../src/report/position.ts';
import { barLine, type Progress, startProgress } from '../../src/report/progress.ts';
import { stepsOf, stepsOfPlan } from '../../src/run/steps.ts';
import { screenOf } from '../support/screen.ts';
import { LABELS, planOf, UNTIL } from './plans.ts';

/** Where a run of this plan is. */
function positionIn(plan: Plan): Position {
  return new Position(plan, LABELS, stepsOfPlan(plan), performance.now());
}

/** What a run tells about its way through a plan: one step after the other. */
function* wayThrough(plan: Plan): Generator<(progress: Progress) => void> {
  for (const [launch, groups] of plan.launches.entries()) {
    for (const group of groups) {
      const steps = stepsOf(plan, group, new Set());
      const later = plan.launches.slice(launch + 1).flat();
      const after = later.flatMap((each) => stepsOf(plan, each, new Set()));
      yield (progress) => progress.launch(launch, steps, after);
      for (const step of steps) yield (progress) => progress.step(step);
    }
  }
}

describe('the bar', () => {
  const text = 'warming up Nest + Fastify, single, published';

  test('shows share, time left and place', () => {
    expect(barLine(0.25, 30, text, 100)).toBe(
      `${'█'.repeat(6)}${'░'.repeat(18)}  25 %  1 min 30 s left  ${text}`,
    );
    expect(barLine(1, 30, text, 100)).toContain(`${'█'.repeat(24)}  100 %  0 s left`);
  });

  test('knows no time left before anything is done', () => {
    expect(barLine(0, 5, 'starting', 80)).toBe(`${'░'.repeat(24)}  0 %  unknown left  starting`);
  });

  test('without a share shows the time so far and the place', () => {
    expect(barLine(null, 200, text, 100)).toBe(`3 min 20 s so far  ${text}`);
  });

  test('fits every width', () => {
    for (const share of [0, 0.004, 1 / 3, 1, null]) {
      for (let width = 1; width <= 200; width++) {
        const line = barLine(share, 3599, text, width);
        expect(line.length).toBeLessThanOrEqual(width);
        expect(line).not.toContain('\n');
      }
    }
  });

  test('gives up the bar before the words, and the words before the figures', () => {
    expect(barLine(0.5, 30, text, 75)).toBe(`50 %  30 s left  ${text}`);
    expect(barLine(0.5, 30, text, 20)).toBe('50 %  30 s left  wa…');
  });
});

describe('on a stream that is no terminal', () => {
  let written = '';
  beforeEach(() => {
    written = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  test('every launch, table and message is a line that stays', () => {
    const plan = planOf();
    const progress = startProgress(process.stderr, positionIn(plan));
    for (const step of wayThrough(plan)) step(progress);
    progress.table('the table');
    progress.say('a message');
    progress.end();
    const lines = written.split('\n');
    expect(lines[0]).toMatch(/^0 %, \d+ s: launch 1 of 2: starting 6 servers$/);
    expect(lines[1]).toMatch(/^\d+ %, \d+ s: launch 2 of 2: starting 6 servers$/);
    expect(lines[2]).toMatch(/^\d+ %, \d+ s: a round is over; the table so far:$/);
    expect(lines.slice(3)).toEqual(['the table', '', 'a message', '']);
  });

  test('a run without an end that is known tells the time alone', () => {
    const plan = planOf({ until: UNTIL });
    const progress = startProgress(process.stderr, positionIn(plan));
    const [first] = wayThrough(plan);
    first?.(progress);
    progress.table('the table');
    progress.end();
    const [launch, round] = written.split('\n');
    expect(launch).toMatch(/^\d+ s: launch 1 of at least 2: starting 6 servers$/);
    expect(round).toMatch(/^\d+ s: a round is over; the table so far:$/);
  });
});

describe('on a terminal', () => {
  const terminal = { isTTY: true, columns: 100, rows: 24 };
  const names = ['isTTY', 'columns', 'rows'] as const;
  const before = names.map((name) => Object.getOwnPropertyDescriptor(process.stderr, name));
  let written = '';
  const screen = () => screenOf(written);
  beforeEach(() => {
    written = '';
    for (const name of names) {
      Object.defineProperty(process.stderr, name, { value: terminal[name], configurable: true });
    }
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    for (const [index, name] of names.entries()) {
      const descriptor = before[index];
      if (descriptor) Object.defineProperty(process.stderr, name, descriptor);
      else Reflect.deleteProperty(process.stderr, name);
    }
  });

  test('the bar stands under the table, and both are drawn in place', () => {
    const plan = planOf();
    const progress = startProgress(process.stderr, positionIn(plan));
    const [launch, start, warmUp] = wayThrough(plan);
    launch?.(progress);
    expect(screen()).toEqual([
      `${'░'.repeat(24)}  0 %  unknown left  launch 1 of 2: starting 6 servers`,
    ]);
    start?.(progress);
    vi.advanceTimersByTime(3000);
    warmUp?.(progress);
    progress.table('a table\nof two lines');
    progress.table('another table\nof two lines');
    expect(screen()).toEqual([
      'another table',
      'of two lines',
      '',
      expect.stringMatching(/^█*░+ {2}\d+ % {2}\d.* left {2}warming up /),
    ]);
    progress.end();
  });

  test('what is said stays above them, and at the end nothing else does', () => {
    const plan = planOf();
    const progress = startProgress(process.stderr, positionIn(plan));
    progress.table('a table');
    progress.say('a message');
    progress.say('another message');
    expect(screen().slice(0, 4)).toEqual(['a message', 'another message', 'a table', '']);
    expect(screen()).toHaveLength(5);
    progress.end();
    expect(screen()).toEqual(['a message', 'another message']);
  });

  test('the bar goes on while a step takes its time, and not after the end', () => {
    const plan = planOf();
    const progress = startProgress(process.stderr, positionIn(plan));
    const [launch] = wayThrough(plan);
    launch?.(progress);
    const [atFirst] = screen();
    vi.advanceTimersByTime(3000);
    const [later] = screen();
    expect(later).toMatch(/ {2}\d+ % {2}/);
    expect(later).not.toBe(atFirst);
    progress.end();
    const atTheEnd = written;
    vi.advanceTimersByTime(5000);
    expect(written).toBe(atTheEnd);
  });

  test('no line is wider than the terminal, whatever the step', () => {
    const plan = planOf();
    const progress = startProgress(process.stderr, positionIn(plan));
    for (const step of wayThrough(plan)) {
      step(progress);
      for (const line of screen()) expect(line.length).toBeLessThanOrEqual(terminal.columns);
    }
    progress.end();
    expect(screen()).toEqual([]);
  });
});
