import { CommanderError } from 'commander';
import { commandsFor } from '../../src/commands/index.ts';
import { runRequest } from '../../src/commands/main.ts';
import { parseArguments } from '../../src/request/command-line.ts';

/** The seed of a run for which none is given. */
export const DRAWN = 42;
const commands = commandsFor([]);

/** Parses a command line: the result is a command, or output and an exit code. */
export function ask(argv: readonly string[]) {
  const out: string[] = [];
  const error: string[] = [];
  try {
    const { command, ...asked } = parseArguments(argv, commands, {
      writeOut: (text) => out.push(text),
      writeErr: (text) => error.push(text),
    });
    const run = 'kindOf' in command ? runRequest(argv, command, asked, DRAWN) : null;
    const { given, words } = asked;
    return { state: 'asked' as const, asked: { name: command.name, given, words, run } };
  } catch (ended) {
    if (!(ended instanceof CommanderError)) throw ended;
    const written = { out: out.join(''), error: error.join('') };
    return { state: 'ended' as const, ...written, exitCode: ended.exitCode };
  }
}

/** Parses the command line of a run. @throws for any other. */
export function runAsked(...argv: string[]) {
  const answer = ask(argv);
  if (answer.state === 'ended') throw new Error(answer.error);
  if (answer.asked.run === null) throw new Error(`${argv[0]} is no run`);
  return answer.asked.run;
}
