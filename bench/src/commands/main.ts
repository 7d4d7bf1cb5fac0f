import { randomInt } from 'node:crypto';
import { CommanderError } from 'commander';
import { explain, UserError } from '../base/errors.ts';
import { FAILED, WRONG } from '../base/exit-codes.ts';
import { DRIVER_NAMES } from '../load/drivers.ts';
import { parseArguments } from '../request/options.ts';
import { runRequest } from '../request/run-command.ts';
import type { Io } from './command.ts';
import { onGeneratorHosts } from './generator-hosts.ts';
import { commandsFor } from './index.ts';
import { measureCommand } from './measure.ts';
import { measureOnHost } from './server-host.ts';

const LARGEST_SEED = 2 ** 31 - 1;

/** Does what these arguments (without node and script) ask for, explains what goes wrong, and returns the exit code. */
export async function main(argv: string[], io: Io): Promise<number> {
  try {
    return await perform(argv, io);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG;
    io.stderr.write(`${explain(error)}\n`);
    return error instanceof UserError ? WRONG : FAILED;
  }
}

async function perform(argv: string[], io: Io): Promise<number> {
  const asked = parseArguments(argv, {
    commands: commandsFor(argv),
    drivers: DRIVER_NAMES,
    write: (text) => io.stdout.write(text),
    writeError: (text) => io.stderr.write(text),
  });
  const { command } = asked;
  if ('perform' in command) return await command.perform(asked, io);
  const context = { drivers: DRIVER_NAMES, seed: randomInt(LARGEST_SEED) };
  const { kind, request } = runRequest(argv, { ...asked, command }, context);
  const { serverHost } = request.given;
  if (serverHost !== undefined) {
    const targets = 'subjects' in kind ? kind.subjects(request).targets : [];
    return await measureOnHost(serverHost, argv, request, targets, io);
  }
  const own = await onGeneratorHosts(io, request);
  if ('perform' in kind) return await kind.perform(request, own);
  return await measureCommand(kind, request, own);
}
