import { randomInt } from 'node:crypto';
import { CommanderError } from 'commander';
import { codeOf, explain, UserError } from './base/errors.ts';
import { FAILED, HUNG_UP, WRONG } from './base/exit-codes.ts';
import { PACKAGES } from './base/places.ts';
import { RUN_COMMANDS } from './commands/index.ts';
import type { Kind } from './commands/kind.ts';
import { openCommand } from './commands/page.ts';
import { reportCommand } from './commands/report.ts';
import { siteCommand } from './commands/site.ts';
import { verifyCommand } from './commands/verify.ts';
import { DRIVER_NAMES } from './load/drivers.ts';
import { parseArguments, type Request } from './request/options.ts';

const LARGEST_SEED = 2 ** 31 - 1;

async function main(): Promise<number> {
  let request: Request<Kind>;
  try {
    request = parseArguments(process.argv.slice(2), {
      packages: PACKAGES,
      commands: RUN_COMMANDS,
      drivers: DRIVER_NAMES,
      drawSeed: () => randomInt(LARGEST_SEED),
      write: (text) => process.stdout.write(text),
      writeError: (text) => process.stderr.write(text),
    });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG;
    throw error;
  }
  switch (request.command) {
    case 'run':
      return await request.kind.perform(request);
    case 'verify':
      return await verifyCommand(request.options);
    case 'report':
      return await reportCommand(request.options);
    case 'open':
      return await openCommand();
    case 'site':
      return await siteCommand(request.options);
  }
}

process.stderr.on('error', (error) => {
  // Whoever read the progress has gone, as when a terminal hangs up.
  if (codeOf(error) !== 'EPIPE') throw error;
  if (!process.emit('SIGHUP', 'SIGHUP')) process.exit(HUNG_UP);
});
process.stdout.on('error', (error) => {
  // The reader of a pipe, such as `head`, has seen enough.
  if (codeOf(error) === 'EPIPE') process.exit(0);
  throw error;
});

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = error instanceof UserError ? WRONG : FAILED;
}
