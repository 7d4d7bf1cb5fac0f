import { GeneratorError } from '../load/generator.ts';
import type { Cell } from '../plan/plan.ts';
import { isAlive } from '../system/processes.ts';
import type { RunningLaunch } from './context.ts';
import { lose } from './failures.ts';

/**
 * Measures these cells, and once more with new generators where the generators fail, which is no fault of the
 * servers. Where they fail again the servers are lost in this launch, and the result is null.
 */
export async function withSpare<T>(
  members: readonly { cell: Cell }[],
  running: RunningLaunch,
  act: () => Promise<T>,
): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    const { message } = await spared(error, running);
    const repeat = { cells: members.map(({ cell }) => cell.id), launch: running.launch, message };
    running.record.repeats.push(repeat);
    running.onRepeat(repeat);
  }
  try {
    return await act();
  } catch (error) {
    const { message } = await spared(error, running);
    const failure = { message: `${message}, twice`, logTail: [], died: false };
    for (const { cell } of members) lose({ state: 'failed', failure }, 'slice', cell, running);
    return null;
  }
}

/** Has new generators start where it was these that failed. @throws what else was thrown. */
async function spared(
  error: unknown,
  { pool, now, harness }: RunningLaunch,
): Promise<GeneratorError> {
  // They read the guardian's counters too: without it no run goes on.
  const isOurs = error instanceof GeneratorError && harness.every(isAlive);
  if (!isOurs || now.aborted) throw error;
  await pool.renew();
  return error;
}
