import { CommanderError } from 'commander';
import { commandsFor } from '../../src/commands/index.ts';
import { parseArguments } from '../../src/request/options.ts';
import { runRequest } from '../../src/request/run-command.ts';

/** The seed of a run for which none is given. */
export const DRAWN = 42;
const commands = commandsFor([]);

/** The result of parsing a command line: a command, or output and an exit code. */
export type Answer =
  | { state: 'asked'; asked: ReturnType<typeof read> }
  | { state: 'ended'; out: string; error: string; exitCode: number };

/** Parses a command line. */
export function ask(argv: readonly string[]): Answer {
  const written = { out: '', error: '' };
  try {
    return { state: 'asked', asked: read(argv, written) };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { state: 'ended', ...written, exitCode: error.exitCode };
  }
}

function read(argv: readonly string[], written: { out: string; error: string }) {
  const write = (text: string) => {
    written.out += text;
  };
  const writeError = (text: string) => {
    written.error += text;
  };
  const asked = parseArguments(argv, { commands, write, writeError });
  const { command, given, words } = asked;
  const run = 'kindOf' in command ? runRequest(argv, { ...asked, command }, DRAWN) : null;
  return { name: command.name, given, words, run };
}

/** Parses the command line of a run. @throws for any other. */
export function runAsked(...argv: string[]) {
  const answer = ask(argv);
  if (answer.state === 'ended') throw new Error(answer.error);
  if (answer.asked.run === null) throw new Error(`${argv[0]} is no run`);
  const { kind, request } = answer.asked.run;
  return { kind, ...request };
}
