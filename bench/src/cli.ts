import { randomInt } from 'node:crypto';
import { CommanderError } from 'commander';
import { codeOf, explain, UserError } from './base/errors.ts';
import { FAILED, HUNG_UP, WRONG } from './base/exit-codes.ts';
import { PACKAGES } from './base/places.ts';
import { measureCommand } from './commands/measure.ts';
import { methodsCommand } from './commands/methods.ts';
import { priceCommand } from './commands/price.ts';
import { reportCommand } from './commands/report.ts';
import { truthCommand } from './commands/truth.ts';
import { verifyCommand } from './commands/verify.ts';
import { DRIVER_NAMES } from './load/drivers.ts';
import { parseArguments, type Request } from './request/options.ts';
import type { RunOptions } from './request/run-options.ts';
import { CANNED } from './targets/canned.ts';
import { chooseTargets, type LocalTarget } from './targets/targets.ts';

const LARGEST_SEED = 2 ** 31 - 1;

async function main(): Promise<number> {
  let request: Request;
  try {
    request = parseArguments(process.argv.slice(2), {
      packages: PACKAGES,
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
    case 'run': {
      const { options, packages } = request;
      return await measureCommand(options, {
        targets: chooseTargets(packages, request.targets, options.suite),
        probes: probesOf(options),
        readTimer: async () => null,
      });
    }
    case 'truth':
      return await truthCommand(request.options);
    case 'price':
      return await priceCommand(request.options);
    case 'methods':
      return await methodsCommand(request.options);
    case 'verify':
      return await verifyCommand(request.options);
    case 'report':
      return reportCommand(request.options);
  }
}

/** A canned answer tells how much room there was, where requests/s are measured in slices. */
function probesOf({ suite, rates, contiguous }: RunOptions): LocalTarget[] {
  return suite === 'frameworks' && rates === null && !contiguous ? [CANNED] : [];
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
