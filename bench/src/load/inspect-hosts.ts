import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { messageOf, UserError } from '../base/errors.ts';
import { SRC } from '../base/places.ts';
import { overSsh } from '../system/ssh.ts';
import { type HostState, parseHost } from './host-state.ts';

/** A machine that takes longer to tell what it has is of no use, ms. */
const LONGEST_MS = 30_000;

/**
 * Inspects this machine and these hosts, all at once, also for what is needed there: for each need the names of programs
 * and the patterns of paths of which one is enough.
 * @throws UserError for a machine that can't be reached, or whose answer can't be read.
 */
export async function inspectHosts(
  hosts: readonly string[],
  needs: readonly (readonly string[])[] = [],
): Promise<HostState[]> {
  const words = needs.map((any) => any.join('|'));
  return await Promise.all([null, ...hosts].map((host) => inspect(host, words)));
}

async function inspect(host: string | null, needs: readonly string[]): Promise<HostState> {
  const script = readFileSync(join(SRC, 'load/host.sh'), 'utf8');
  const command = ['sh', '-c', script, 'sh', ...needs];
  const [file, args] = host === null ? ['sh', command.slice(1)] : overSsh(host, command);
  const env = host === null ? { SSH_CONNECTION: '' } : {};
  const options = { env, stdin: 'ignore', reject: false, timeout: LONGEST_MS } as const;
  const fromNs = Date.now() * 1e6;
  const result = await execa(file, args, options);
  const toNs = Date.now() * 1e6;
  try {
    if (result.failed) throw new Error(result.stderr || result.shortMessage);
    return parseHost(host, result.stdout, fromNs, toNs);
  } catch (cause) {
    throw new UserError(
      `${host ?? 'this machine'}: ${messageOf(cause)}`,
      host === null
        ? 'See that `sh` works here.'
        : `Try it by hand: \`ssh ${host} true\`; it must not ask for anything.`,
      { cause },
    );
  }
}
