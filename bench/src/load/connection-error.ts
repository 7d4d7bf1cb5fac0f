import { codeOf } from '../base/errors.ts';

/** What a connection fails with where this machine has run out of something, whatever the server does. */
const EXHAUSTED: Record<string, string> = {
  EADDRNOTAVAIL: 'no local port is left for a connection',
  EMFILE: 'no file descriptor is left for a connection',
  ENFILE: 'the system has no file descriptor left for a connection',
  ENOBUFS: 'the system has no memory left for a connection',
};

/**
 * Whether the server refused a connection. One that this machine could not open ends the process with that, since
 * nothing that it measures is the server's any more.
 */
export function isRefusal(error: Error): boolean {
  const code = codeOf(error) ?? '';
  const exhausted = EXHAUSTED[code];
  if (exhausted !== undefined) {
    // Out of the client library, which would take it for an error of the connection.
    process.nextTick(() => {
      throw new Error(`${exhausted} (${code})`, { cause: error });
    });
  }
  return code === 'ECONNREFUSED';
}
