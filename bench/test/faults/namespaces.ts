import { execaSync } from 'execa';
import { CLI, type Harness, startCommand } from '../cli/harness.ts';
import type { OwnPlace } from '../support/leftovers.ts';

/** Whether this user may have mounts and a network of their own. */
export const CAN_UNSHARE =
  execaSync('unshare', ['--mount', '--net', 'true'], { reject: false }).exitCode === 0;

/**
 * Starts the command line after these commands of a shell, in namespaces of its own, so that what they change is
 * changed for nobody else; `as` is in front of it, as `setpriv …`.
 */
export function startWithin(
  place: OwnPlace,
  { kinds, commands, as = '' }: { kinds: ('--mount' | '--net')[]; commands: string; as?: string },
  args: string[],
): Harness {
  const script = `${commands} && exec ${as} "$0" "$@"`;
  const own = ['unshare', ...kinds, 'sh', '-c', script, process.execPath, CLI, ...args] as const;
  return startCommand(place, [...own]);
}
