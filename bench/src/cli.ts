import { codeOf, HUNG_UP } from './base/errors.ts';
import { main } from './commands/main.ts';
import { SYSTEM } from './run/backend.ts';

process.stderr.on('error', (error) => {
  // The reader of the progress is gone, as when a terminal hangs up.
  if (codeOf(error) !== 'EPIPE') throw error;
  if (!process.emit('SIGHUP', 'SIGHUP')) process.exit(HUNG_UP);
});
process.stdout.on('error', (error) => {
  // The reader of a pipe, such as `head`, has seen enough.
  if (codeOf(error) === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  signals: process,
  backend: SYSTEM,
});
