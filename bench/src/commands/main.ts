import { randomInt } from 'node:crypto';
import { CommanderError } from 'commander';
import { explain, FAILED, INVALID, UserError } from '../base/errors.ts';
import { PACKAGES } from '../base/places.ts';
import { type CommandLine, parseArguments, repeating } from '../request/command-line.ts';
import { runOptions } from '../request/run-options.ts';
import { CommandExit, type Io, type RunCommand, type RunRequest, startConsole } from './command.ts';
import { onGeneratorHosts } from './generator-hosts.ts';
import { commandsFor } from './index.ts';
import { measureCommand } from './measure.ts';
import { savedRun } from './resume.ts';
import { measureOnHost } from './server-host.ts';

const LARGEST_SEED = 2 ** 31 - 1;

/** Executes a command line (without node and script), explains what goes wrong, and returns the exit code. */
export async function main(argv: string[], io: Io): Promise<number> {
  try {
    return await perform(argv, io);
  } catch (error) {
    if (error instanceof CommandExit) return error.exitCode;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : INVALID;
    io.stderr.write(`${explain(error)}\n`);
    return error instanceof UserError ? INVALID : FAILED;
  }
}

async function perform(argv: string[], io: Io): Promise<number> {
  const { command, ...asked } = parseArguments(argv, commandsFor(argv), {
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
  });
  if (!('kindOf' in command)) return await command.perform(asked, io);
  const saved = savedRun(asked.given);
  const seed = saved?.plan.seed ?? randomInt(LARGEST_SEED);
  const request = runRequest(argv, command, asked, seed);
  const { kind, given } = request;
  const { serverHost } = given;
  using runConsole = startConsole(serverHost ? io : await onGeneratorHosts(io, request));
  const invocation = { ...request, ...runConsole, saved };
  if (serverHost !== undefined) {
    return await measureOnHost(serverHost, kind.subjects(request).targets, invocation);
  }
  runConsole.backend.requireLimits(request.options);
  return await (command.perform?.(invocation) ?? measureCommand(kind, invocation));
}

/** What a command line asks of a run; with this seed, if none is given. */
export function runRequest(
  argv: readonly string[],
  command: RunCommand,
  { refuse, ...asked }: CommandLine,
  seed: number,
): RunRequest {
  const { given } = asked;
  const kind = command.kindOf(given);
  const options = runOptions(kind, given, seed, refuse);
  const packages = given.packages ?? command.packages ?? PACKAGES;
  return { ...asked, kind, argv, options, packages, again: repeating(argv, options.seed) };
}
