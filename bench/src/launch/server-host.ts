import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { z } from 'zod';
import { messageOf, UserError } from '../base/errors.ts';
import { SRC } from '../base/places.ts';
import { LEASE_S, overSsh } from '../system/ssh.ts';

const UNPACK = readFileSync(join(SRC, 'launch/unpack.mjs'), 'utf8');
const COMMAND = readFileSync(join(SRC, 'launch/on-host.sh'), 'utf8');

const helloSchema = z.object({ version: z.string(), platform: z.string(), arch: z.string() });
/** The first Node that runs the harness as it is. */
const LEAST_NODE = [22, 18] as const;

/** What runs on the other machine. */
export interface Program {
  /** As `pack` makes it. */
  archive: Buffer;
  /** Its file in the archive, and its arguments. */
  program: string;
  args: readonly string[];
  /** Added to what it has there. */
  environment: Record<string, string>;
}

/** A program on another machine; disposing of it ends it, with all that it has started. */
export interface OnHost extends AsyncDisposable {
  /** What it prints, line by line, until it has ended. */
  lines: AsyncIterable<string>;
  /** Tells it something; at least every fifth of the lease, or it ends. */
  send(line: string): void;
  /** How it ended, or why the connection did; null where all went well. */
  ended: Promise<string | null>;
}

/**
 * Runs a program on another machine, over ssh. What it says on stderr, this process says too.
 * @throws UserError where the machine can't be reached, or has no Node that can run it.
 */
export async function startOnHost(
  host: string,
  run: (machine: z.infer<typeof helloSchema>) => Program,
): Promise<OnHost> {
  const [file, args] = overSsh(host, ['sh', '-c', COMMAND, 'sh', UNPACK, String(LEASE_S)]);
  const child = execa(file, args, {
    // Ctrl-C in a terminal is the harness's alone.
    detached: true,
    stderr: ['pipe', 'inherit'],
    buffer: { stdout: false },
    reject: false,
  });
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const end = async () => {
    child.stdin.end();
    await child;
  };
  const ended = child.then(({ failed, exitCode, signal }) => {
    if (!failed) return null;
    // By its own account it could not connect, or the connection is gone.
    return exitCode === 255
      ? `the connection to ${host} is gone`
      : `what runs on ${host} ended with ${signal ?? `code ${exitCode}`}`;
  });
  try {
    const { value } = await lines.next();
    if (value === undefined) {
      const { stderr } = await child;
      throw new UserError(
        `${host}: ${stderr.trim() || (await ended)}`,
        `Try it by hand: \`ssh ${host} node --version\`; it may ask for nothing.`,
      );
    }
    const machine = helloSchema.parse(JSON.parse(value));
    requireNode(host, machine.version);
    const { archive, ...head } = run(machine);
    child.stdin.write(`${JSON.stringify({ ...head, bytes: archive.length })}\n`);
    child.stdin.write(archive);
  } catch (error) {
    await end();
    if (error instanceof UserError) throw error;
    throw new UserError(`${host}: ${messageOf(error)}`, 'See what its shell prints at its start.', {
      cause: error,
    });
  }
  return {
    lines: { [Symbol.asyncIterator]: () => lines },
    send: (line) => void child.stdin.write(line),
    ended,
    [Symbol.asyncDispose]: end,
  };
}

/** @throws UserError for a Node that can't run the harness. */
function requireNode(host: string, version: string): void {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new UserError(
    `${host} has Node ${version}, and the harness needs ${LEAST_NODE.join('.')} or later`,
    'Install one there, so that a shell without a terminal finds it as `node`.',
  );
}
