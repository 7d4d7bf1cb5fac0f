import { execa } from 'execa';
import { onPath } from './on-path.ts';

/** Whether processes can be pinned to cores here: util-linux's `taskset` is on the PATH. */
export const CAN_PIN = process.platform === 'linux' && onPath('taskset');

/** A program and its arguments. */
export type Command = [string, ...string[]];

/** The command that runs `command` on these cores only; on all cores for null. */
export function pinned(cores: readonly number[] | null, command: Command): Command {
  if (cores === null || !CAN_PIN) return command;
  // taskset becomes the command (exec), so the command keeps the pid and the IPC channel.
  return ['taskset', '--cpu-list', cores.join(','), ...command];
}

/** Moves running processes, with all their threads, to these cores. @throws when one is gone. */
export async function repin(pids: readonly number[], cores: readonly number[]): Promise<void> {
  const options = ['--all-tasks', '--cpu-list', '--pid', cores.join(',')];
  await Promise.all(pids.map((pid) => execa('taskset', [...options, String(pid)])));
}
