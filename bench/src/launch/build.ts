import { join } from 'node:path';
import { UserError } from '../base/errors.ts';
import { type LocalTarget, requireBuilt, workingFolder } from '../targets/targets.ts';
import { startGuardian } from './guardian.ts';
import { lastLines, runLogged } from './process-group.ts';
import { contextOf } from './server.ts';

const SHOWN_LOG_LINES = 30;

/** Builds targets, or only some if interrupted. @throws UserError if a build fails or makes no script to start. */
export async function buildTargets(
  targets: readonly LocalTarget[],
  interrupted: AbortSignal,
  say: (text: string) => void,
): Promise<void> {
  const buildable = targets.filter(({ build }) => build !== null);
  if (buildable.length === 0) return;
  await using guardian = startGuardian();
  const context = contextOf(guardian, interrupted);
  const built = new Set<string>();
  // One after the other, since a build may use all cores.
  for (const target of buildable) {
    const { name, build: command } = target;
    const directory = workingFolder(target);
    const work = JSON.stringify([directory, command]);
    if (command === null || built.has(work)) continue;
    if (interrupted.aborted) return;
    built.add(work);
    say(`Building ${name}: ${command.join(' ')}`);
    const log = join(context.folder, `build-${name}.log`);
    // Inherited, since it tells tools of caches and proxies.
    const environment = { ...process.env, ...target.env };
    const building = runLogged({ command, log, directory, environment }, context);
    const problem = await building.catch((error) => {
      if (interrupted.aborted) return null;
      throw error;
    });
    if (problem === null) continue;
    const message = `the build of ${name} failed: it ${problem}`;
    throw new UserError(
      [message, ...lastLines(log, SHOWN_LOG_LINES)].join('\n'),
      `Correct it, or try it by hand: \`${command.join(' ')}\` in ${directory}.`,
    );
  }
  if (!interrupted.aborted) requireBuilt(buildable);
}
