import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { barLine, type Progress, startProgress } from '../../src/report/progress.ts';
import type { Output } from '../../src/report/terminal/look.ts';
import { stepsOf } from '../../src/run/steps.ts';
import { collect, screenOf } from '../support/screen.ts';
import { planOf, TARGETS, UNTIL } from './plans.ts';

/** What a run tells about its way through a plan: one step after the other. */
function* wayThrough(plan: Plan): Generator<(progress: Progress) => void> {
  for (const [launch, groups] of plan.launches.entries()) {
    for (const group of groups) {
      const steps = stepsOf(plan, group, new Set());
      const later = plan.launches.slice(launch + 1).flat();
      const after = later.flatMap((each) => stepsOf(plan, each, new Set()));
      yield (progress) => progress.onLaunch(launch, steps, after);
      for (const step of steps) yield (progress) => progress.onStep(step);
    }
  }
}

const TEXT = 'warming up Nest + Fastify, single, published';
const barOf = (full: number) => `${'█'.repeat(full)}${'░'.repeat(24 - full)}`;

test.each<[string, ...Parameters<typeof barLine>]>([
  [`${barOf(6)}  25 %  1 min 30 s left  ${TEXT}`, 0.25, 30, TEXT, 100],
  [`${barOf(24)}  100 %  0 s left  x`, 1, 30, 'x', 100],
  [`${barOf(0)}  0 %  unknown left  x`, 0, 5, 'x', 80],
  [`3 min 20 s so far  ${TEXT}`, null, 200, TEXT, 100],
  // Words rather than a bar, and figures rather than words.
  [`50 %  30 s left  ${TEXT}`, 0.5, 30, TEXT, 75],
  ['50 %  30 s left  wa…', 0.5, 30, TEXT, 20],
])('the bar is "%s"', (line, ...args) => {
  expect(barLine(...args)).toBe(line);
});

test('the bar fits every width', () => {
  for (const share of [0, 0.004, 1 / 3, 1, null]) {
    for (let width = 1; width <= 200; width++) {
      const line = barLine(share, 3599, TEXT, width);
      expect(line.length).toBeLessThanOrEqual(width);
      expect(line).not.toContain('\n');
    }
  }
});

/** A run of this plan, its steps, and its progress on a stream with these properties. */
function start(parts: Pick<Output, 'isTTY' | 'columns'> & { rows?: number } = {}, plan = planOf()) {
  const { stream, text } = collect();
  const progress = startProgress(Object.assign(stream, parts), plan, TARGETS);
  return { progress, way: wayThrough(plan), written: text };
}

test('on a stream that is no terminal every launch, table and message is a line that stays', () => {
  const { progress, way, written } = start();
  for (const step of way) step(progress);
  progress.table('the table');
  progress.say('a message');
  progress.end();
  const lines = written().split('\n');
  expect(lines[0]).toMatch(/^0 %, \d+ s: launch 1 of 2: starting 6 servers$/);
  expect(lines[1]).toMatch(/^\d+ %, \d+ s: launch 2 of 2: starting 6 servers$/);
  expect(lines[2]).toMatch(/^\d+ %, \d+ s: a round is over; the table so far:$/);
  expect(lines.slice(3)).toEqual(['the table', '', 'a message', '']);
});

test('on a stream that is no terminal a run without a known end shows the time alone', () => {
  const { progress, way, written } = start({}, planOf({ until: UNTIL }));
  way.next().value?.(progress);
  progress.table('the table');
  progress.end();
  const [launch, round] = written().split('\n');
  expect(launch).toMatch(/^\d+ s: launch 1 of at least 2: starting 6 servers$/);
  expect(round).toMatch(/^\d+ s: a round is over; the table so far:$/);
});

describe('on a terminal', () => {
  const startOnScreen = () => {
    const { written, ...others } = start({ isTTY: true, columns: 100, rows: 24 });
    return { ...others, written, screen: () => screenOf(written()) };
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('the bar is below the table, and both are redrawn in place', () => {
    const { progress, way, screen } = startOnScreen();
    way.next().value?.(progress);
    expect(screen()).toEqual([`${barOf(0)}  0 %  unknown left  launch 1 of 2: starting 6 servers`]);
    way.next().value?.(progress);
    vi.advanceTimersByTime(3000);
    way.next().value?.(progress);
    progress.table('a table\nof two lines');
    progress.table('another table\nof two lines');
    expect(screen()).toEqual([
      ...['another table', 'of two lines', ''],
      expect.stringMatching(/^█*░+ {2}\d+ % {2}\d.* left {2}warming up /),
    ]);
    progress.end();
  });

  test('a message stays above them, and at the end nothing else does', () => {
    const { progress, screen } = startOnScreen();
    progress.table('a table');
    progress.say('a message');
    progress.say('another message');
    expect(screen().slice(0, 4)).toEqual(['a message', 'another message', 'a table', '']);
    expect(screen()).toHaveLength(5);
    progress.end();
    expect(screen()).toEqual(['a message', 'another message']);
  });

  test('the bar goes on while a step takes its time, and not after the end', () => {
    const { progress, way, screen, written } = startOnScreen();
    way.next().value?.(progress);
    const [atFirst] = screen();
    vi.advanceTimersByTime(3000);
    const [later] = screen();
    expect(later).toMatch(/ {2}\d+ % {2}/);
    expect(later).not.toBe(atFirst);
    progress.end();
    const atTheEnd = written();
    vi.advanceTimersByTime(5000);
    expect(written()).toBe(atTheEnd);
  });
});
