import { explain } from '../base/errors.ts';
import { wantsAnother } from '../figures/width.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { Position } from '../report/position.ts';
import { type Progress, startProgress } from '../report/progress.ts';
import type { RunEvents } from '../run/context.ts';
import type { MeasuredTargets } from '../run/measured-targets.ts';
import { run } from '../run/run.ts';
import { stepsOfPlan } from '../run/steps.ts';
import { SERVICES } from '../services/index.ts';
import { type Interrupts, listenForInterrupts } from '../system/interrupt.ts';
import type { Io } from './command.ts';

/** Who follows what is carried out, and who can end it: one for all runs of a command. */
export interface RunConsole extends Disposable, Pick<Io, 'stdout' | 'backend' | 'isRelayed'> {
  interrupts: Interrupts;
  /** A line that stays, with the progress of a run below it where one is under way. */
  say(text: string): void;
  /** Shows the progress of a run from here on. */
  follow(plan: Plan, subjects: MeasuredTargets): Progress;
}

/** Listens for Ctrl-C, by which the slice, or the start, that is under way is the last one, and writes to stderr. */
export function startConsole(
  { stdout, stderr, signals, backend, isRelayed }: Io,
  last: 'slice' | 'start' = 'slice',
): RunConsole {
  let say: Progress['say'] = (text) => stderr.write(`${text}\n`);
  const sayPlainly = say;
  const interrupts = listenForInterrupts(() => {
    say(`Ending after this ${last}; Ctrl-C again ends at once.`);
  }, signals);
  return {
    ...{ stdout, backend, isRelayed, interrupts },
    say: (text) => say(text),
    follow: (plan, { targets }) => {
      const labels = new Map(targets.map(({ name, label }) => [name, label]));
      const position = new Position(plan, labels, stepsOfPlan(plan), performance.now());
      const progress = startProgress(stderr, position);
      say = progress.say;
      return {
        ...progress,
        end: () => {
          progress.end();
          say = sayPlainly;
        },
      };
    },
    [Symbol.dispose]: () => interrupts[Symbol.dispose](),
  };
}

/**
 * Carries out a record's plan and fills the record in, while it is followed. Returns whether the
 * harness itself could go on to the end; why not, it has said.
 */
export async function carryOut(
  record: RunRecord,
  subjects: MeasuredTargets,
  { interrupts, follow, backend }: RunConsole,
  onRound: (record: RunRecord, progress: Progress) => Promise<void> = async () => {},
  onProfile: RunEvents['onProfile'] = async () => {},
  goesOn: RunEvents['wantsAnother'] = wantsAnother,
): Promise<boolean> {
  const progress = follow(record.plan, subjects);
  const exposed = new Set<string>();
  try {
    const events: RunEvents = {
      onLaunch: progress.launch,
      onStep: progress.step,
      onServiceFailure: ({ name, message, servers }) => {
        const { label } = SERVICES[name];
        const out = `out of this launch: ${servers.join(', ')}`;
        progress.say(`${label} failed: ${message}; ${out}`);
      },
      onFailure: ({ server, message }) => progress.say(`${server} failed: ${message}`),
      onExposed: (server, ports) => {
        if (exposed.has(server)) return;
        exposed.add(server);
        const where = `port ${ports.join(', ')}`;
        progress.say(
          `${server} listens on ${where} for other machines too, not only on 127.0.0.1.`,
        );
      },
      onOtherRuns: (pids) => {
        const who = `process ${pids.join(', ')}`;
        progress.say(`Another run is measuring on this machine (${who}): they disturb each other.`);
      },
      onRepeat: ({ cells, message }) => {
        progress.say(`${message}; measured again with a new one: ${cells.join(', ')}`);
      },
      onGenerators: ({ topology, load }, count) => {
        const limit = `${topology}, ${load}: the generator was the limit`;
        progress.say(`${limit}: ${count} generator processes from here on`);
      },
      onRound: (round) => onRound(round, progress),
      onProfile,
      wantsAnother: goesOn,
      soon: interrupts.soon,
      now: interrupts.now,
    };
    await run(record, subjects, events, backend);
    return true;
  } catch (error) {
    progress.say(explain(error));
    return false;
  } finally {
    progress.end();
  }
}
