import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLaunchSession } from '../../src/launch/session.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;

test('runs that go on at the same time know of each other, until one has ended', async () => {
  await using one = startLaunchSession(NEVER);
  {
    await using two = startLaunchSession(NEVER);
    expect([one.otherRuns(), two.otherRuns()]).toEqual([[process.pid], [process.pid]]);
  }
  expect(one.otherRuns()).toEqual([]);
});

test('a run removes the folder of one that went down with its guardian, and no other', async () => {
  const folder = (name: string, ageMs: number) => {
    const path = join(place.folder, name);
    mkdirSync(path);
    const then = new Date(Date.now() - ageMs);
    utimesSync(path, then, then);
    return path;
  };
  const abandoned = folder('overhead-aBc123', HOUR_MS);
  const others = [folder('overhead-xYz789', 0), folder('overhead-notes-aBc123', HOUR_MS)];
  await using first = startLaunchSession(NEVER);
  expect(first.otherRuns()).toEqual([]);
  expect(existsSync(abandoned)).toBe(false);
  expect(others.map((path) => existsSync(path))).toEqual([true, true]);
  await using _second = startLaunchSession(NEVER);
  expect(place.runFolders()).toHaveLength(4);
  for (const path of others) rmSync(path, { recursive: true });
});
