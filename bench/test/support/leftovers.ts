import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { groupsOf, removeNamed } from './control-groups.ts';
import { eventually, processesOf, socketsOn } from './processes.ts';
import { writerIn } from './temporary-folder.ts';

export type OwnPlace = ReturnType<typeof ownPlace>;

const NOTHING = { processes: [], runFolders: [], controlGroups: [], listeners: [] };

/** A place of a test file's own. A test that leaves anything there fails; what is left is removed before the next. */
export function ownPlace() {
  // Short, since pm2 puts sockets under it.
  const folder = `/tmp/oh-${randomBytes(4).toString('hex')}`;
  const environment: Record<string, string> = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    LANG: 'C.UTF-8',
    TMPDIR: folder,
    HOME: folder,
  };
  const ports = new Set<number>();
  const kept = new Set<number | string>();
  const before = { ...process.env };
  const all = () => processesOf(folder);
  const allRunFolders = () => readdirSync(folder).filter((name) => name.startsWith('overhead-'));
  const processes = () => all().filter(({ pid }) => !kept.has(pid));
  const runFolders = () => allRunFolders().filter((name) => !kept.has(name));
  const left = () => ({
    processes: processes().map(({ pid, command }) => `${pid}: ${command}`),
    runFolders: runFolders(),
    controlGroups: groupsOf(runFolders()),
    listeners: [...ports].filter((port) => socketsOn(port, 'listening') > 0),
  });

  beforeAll(() => {
    // Only now: hooks don't run if all tests of a file are skipped, so nothing would remove the folder.
    mkdirSync(folder, { mode: 0o700 });
    Object.assign(process.env, environment);
  });
  const clear = async () => {
    const found = left();
    for (const { pid } of processes()) process.kill(pid, 'SIGKILL');
    for (const name of found.controlGroups) await removeNamed(name);
    for (const name of runFolders()) rmSync(join(folder, name), { recursive: true, force: true });
    ports.clear();
    return found;
  };
  afterEach(async () => expect(await clear()).toEqual(NOTHING));
  afterAll(async () => {
    kept.clear();
    const found = await clear();
    for (const name of Object.keys(environment)) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true });
    expect(found).toEqual(NOTHING);
  });
  return {
    /** For everything that the tests of the file write. */
    folder,
    write: writerIn(folder),
    /** Marks the processes that are started with it as those of this file. */
    environment,
    processes,
    runFolders,
    /** Makes the test fail if somebody still listens on this port after it. */
    watch: (port: number) => void ports.add(port),
    /** Keeps what runs now for all tests of the file, whose `afterAll` ends it. */
    keep: () => {
      for (const { pid } of all()) kept.add(pid);
      for (const name of allRunFolders()) kept.add(name);
    },
    /** Waits until nothing is left, as after a harness that could not clean up by itself. */
    untilEmpty: async (timeoutMs: number) => {
      await eventually(() => processes().length === 0 && runFolders().length === 0, timeoutMs);
      expect(left()).toMatchObject({ processes: [], runFolders: [] });
    },
  };
}
