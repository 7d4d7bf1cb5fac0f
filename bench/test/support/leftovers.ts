import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { groupsOf, removeNamed } from './control-groups.ts';
import { eventually, type OwnProcess, processesOf, socketsOn } from './processes.ts';

/** A test file's own corner of the machine. */
export interface OwnPlace {
  /** Holds everything that the file's tests write; short, since pm2 puts sockets under it. */
  readonly folder: string;
  /** The environment that makes whatever is started with it recognizable as this file's. */
  readonly environment: Record<string, string>;
  /** What runs now. */
  processes(): OwnProcess[];
  /** The runs' temporary folders that are there now. */
  runFolders(): string[];
  /** This port must be free again after the test. */
  watch(port: number): void;
  /** What runs now is for all tests of the file, whose `afterAll` ends it. */
  keep(): void;
  /** Waits until nothing is left, as after a harness that could not clean up itself. */
  untilEmpty(timeoutMs: number): Promise<void>;
}

const NOTHING = { processes: [], runFolders: [], controlGroups: [], listeners: [] };

/**
 * Gives a test file a place of its own, and makes each of its tests fail that leaves a process, a
 * run's folder, a control group or a listener behind. What is left is removed, so that the next test starts clean.
 */
export function ownPlace(): OwnPlace {
  const folder = `/tmp/oh-${randomBytes(4).toString('hex')}`;
  const environment = {
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
  const isEmpty = () => processes().length === 0 && runFolders().length === 0;

  beforeAll(() => {
    // Not earlier: hooks don't run where all tests of a file are skipped, so nothing would remove it.
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
    folder,
    environment,
    processes,
    runFolders,
    watch: (port) => ports.add(port),
    keep: () => {
      for (const { pid } of all()) kept.add(pid);
      for (const name of allRunFolders()) kept.add(name);
    },
    untilEmpty: async (timeoutMs) => {
      await eventually(isEmpty, timeoutMs);
      const { processes, runFolders } = left();
      expect({ processes, runFolders }).toEqual({ processes: [], runFolders: [] });
    },
  };
}
