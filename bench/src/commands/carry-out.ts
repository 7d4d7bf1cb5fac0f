import { explain } from '../base/errors.ts';
import type { RunningServer } from '../launch/server.ts';
import type { HandlerTime, RunRecord } from '../record/record.ts';
import type { Progress } from '../report/progress.ts';
import { run } from '../run/run.ts';
import type { Interrupts } from '../system/interrupt.ts';
import type { LocalTarget } from '../targets/targets.ts';

/** Who is measured, and what is asked of a server after its slice. */
export interface Subjects {
  targets: LocalTarget[];
  /** Measured once in each launch, for no table. */
  probes: LocalTarget[];
  /** What the server's own clock says of its handler, if it has one. */
  readTimer: (server: RunningServer) => Promise<HandlerTime | null>;
}

/** Who follows a run, and who can end it. */
interface Audience {
  progress: Progress;
  interrupts: Interrupts;
  /** A round is over, and the record holds it. */
  onRound: (record: RunRecord) => Promise<void>;
}

/** What is said at the first Ctrl-C. */
export const ENDING = 'Ending after this slice; Ctrl-C again ends at once.';

/**
 * Carries out a record's plan and fills the record in, telling the progress, which it ends. Returns
 * whether the harness itself could go on to the end; why not, it has said.
 */
export async function carryOut(
  record: RunRecord,
  { targets, probes, readTimer }: Subjects,
  { progress, interrupts, onRound }: Audience,
): Promise<boolean> {
  try {
    await run(record, [...targets, ...probes], {
      onLaunch: (launch, group) => progress.launch(launch, group),
      onCell: (cell, purpose) => progress.cell(cell, purpose),
      onFailure: ({ server, message }) => progress.say(`${server} failed: ${message}`),
      onGenerators: ({ topology, load }, count) => {
        const limit = `${topology}, ${load}: the generator was the limit`;
        progress.say(`${limit}: ${count} generator processes from here on`);
      },
      readTimer,
      onRound,
      soon: interrupts.soon,
      now: interrupts.now,
    });
    return true;
  } catch (error) {
    progress.say(explain(error));
    return false;
  } finally {
    progress.end();
  }
}
