import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { messageOf, UserError } from '../base/errors.ts';
import { type LocalTarget, requireBuilt, workingFolder } from '../targets/targets.ts';
import { startGuarded } from './context.ts';
import { endGroup, INTO_LOG } from './group.ts';
import { type LaunchContext, lastLines } from './server.ts';

/** Lines of a failed build's output that are shown, the last ones. */
const SHOWN_LINES = 30;

type Buildable = LocalTarget & { build: NonNullable<LocalTarget['build']> };

/**
 * Builds the targets that have something to be built, one after the other, since a build uses all cores;
 * `say` is told of each. Builds have the environment of the caller, by which their tools find caches and
 * proxies. Interrupted, it ends the build under way and returns; nothing is left of it either way.
 * @throws UserError with the last lines of a build that fails, or that makes no script to start.
 */
export async function buildTargets(
  targets: readonly LocalTarget[],
  interrupted: AbortSignal,
  say: (text: string) => void,
): Promise<void> {
  const buildable = targets.filter((target): target is Buildable => target.build !== null);
  if (buildable.length === 0) return;
  await using guarded = startGuarded(interrupted);
  for (const target of buildable) {
    if (interrupted.aborted) return;
    say(`Building ${target.name}: ${target.build.join(' ')}`);
    await build(target, guarded.launching);
  }
  if (!interrupted.aborted) requireBuilt(buildable);
}

async function build(target: Buildable, context: LaunchContext): Promise<void> {
  const log = join(context.folder, `build-${target.name}.log`);
  const child = execa('sh', ['-c', INTO_LOG, log, ...target.build], {
    cwd: workingFolder(target),
    detached: true,
    env: target.env,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    reject: false,
  });
  const { pid } = child;
  if (pid === undefined) throw failedBuild(target, messageOf((await child).cause), []);
  context.guard(pid);
  try {
    const ended = await Promise.race([child, aborted(context.signal)]);
    if (ended === null || ended.exitCode === 0) return;
    const how = ended.signal ?? `code ${ended.exitCode}`;
    throw failedBuild(target, `it ended with ${how}`, lastLines(log, SHOWN_LINES));
  } finally {
    await endGroup(pid, context);
  }
}

function failedBuild(target: Buildable, message: string, lines: string[]): UserError {
  return new UserError(
    [`the build of ${target.name} failed: ${message}`, ...lines].join('\n'),
    `Correct it, or try it by hand: \`${target.build.join(' ')}\` in ${workingFolder(target)}.`,
  );
}

/** Resolves to null once it is aborted. */
async function aborted(signal: AbortSignal): Promise<null> {
  if (!signal.aborted) await once(signal, 'abort');
  return null;
}
