/** The only file that knows ssh's command line. */

/** So long may the other side be silent before the connection counts as gone, s. */
export const LEASE_S = 10;
/** So often each side says that it is there, s. */
export const SIGN_OF_LIFE_S = LEASE_S / 5;

/** A port of the other host that leads to one of this machine. */
export interface Forwarded {
  there: number;
  here: number;
}

/** Nobody is asked for a password, and a connection that is gone is noticed. */
const OPTIONS = {
  BatchMode: 'yes',
  ConnectTimeout: String(LEASE_S),
  ServerAliveInterval: String(SIGN_OF_LIFE_S),
  ServerAliveCountMax: '5',
  ExitOnForwardFailure: 'yes',
  // A connection that is shared would keep what is forwarded.
  ControlPath: 'none',
};

/** The command that runs a command on another host, by the user's own ssh configuration. */
export function overSsh(
  host: string,
  command: readonly string[],
  forwarded: Forwarded | null = null,
): [file: 'ssh', args: string[]] {
  const options = Object.entries(OPTIONS).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const ports = forwarded && `127.0.0.1:${forwarded.there}:127.0.0.1:${forwarded.here}`;
  const tunnel = ports === null ? [] : ['-R', ports];
  return ['ssh', [...options, ...tunnel, '-T', '--', host, command.map(quoted).join(' ')]];
}

/** A word as a POSIX shell takes it for itself. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
