/** The only file that knows ssh's command line. */

/** A connection counts as lost after this time without a sign of life, s. */
export const LEASE_S = 10;
/** The interval between signs of life, s. */
export const SIGN_OF_LIFE_S = LEASE_S / 5;

/** Never asks for a password, and notices a lost connection. */
const OPTIONS = {
  BatchMode: 'yes',
  ConnectTimeout: String(LEASE_S),
  ServerAliveInterval: String(SIGN_OF_LIFE_S),
  ServerAliveCountMax: '5',
  ExitOnForwardFailure: 'yes',
  // A shared connection would keep forwarding.
  ControlPath: 'none',
};

/** Runs a command on a host, by the user's ssh configuration. May forward a port of that host to one of ours. */
export function overSsh(
  host: string,
  command: readonly string[],
  forwarded: { there: number; here: number } | null = null,
): [file: 'ssh', args: string[]] {
  const options = Object.entries(OPTIONS).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const ports = forwarded && `127.0.0.1:${forwarded.there}:127.0.0.1:${forwarded.here}`;
  const tunnel = ports === null ? [] : ['-R', ports];
  return ['ssh', [...options, ...tunnel, '-T', '--', host, command.map(quoted).join(' ')]];
}

/** A word, quoted for a POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
