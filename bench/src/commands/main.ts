import { randomInt } from 'node:crypto';
import { CommanderError } from 'commander';
import { explain, UserError } from '../base/errors.ts';
import { FAILED, WRONG } from '../base/exit-codes.ts';
import { PACKAGES } from '../base/places.ts';
import { DRIVER_NAMES } from '../load/drivers.ts';
import { parseArguments, type Request } from '../request/options.ts';
import { runCommands } from './index.ts';
import type { Io } from './io.ts';
import type { Kind } from './kind.ts';
import { openCommand } from './page.ts';
import { reportCommand } from './report.ts';
import { siteCommand } from './site.ts';
import { verifyCommand } from './verify.ts';

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
  const request: Request<Kind> = parseArguments(argv, {
    packages: PACKAGES,
    commands: runCommands(argv),
    drivers: DRIVER_NAMES,
    drawSeed: () => randomInt(LARGEST_SEED),
    write: (text) => io.stdout.write(text),
    writeError: (text) => io.stderr.write(text),
  });
  switch (request.command) {
    case 'run':
      return await request.kind.perform(request, io);
    case 'verify':
      return await verifyCommand(request.options, io);
    case 'report':
      return await reportCommand(request.options, io);
    case 'open':
      return await openCommand(io);
    case 'site':
      return await siteCommand(request.options, io);
  }
}
