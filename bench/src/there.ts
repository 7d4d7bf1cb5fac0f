/**
 * The command line on the machine of the servers, for a user who is on another one: what sends load is there, and gets
 * the records. It ends, with all that it has started, once the connection is gone.
 */
import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { main } from './commands/main.ts';
import { startLaunchSession } from './launch/session.ts';
import { GeneratorsElsewhere } from './load/generators-elsewhere.ts';
import { type FromHarness, GENERATOR, lineOf, messagesOf, toHarnessSchema } from './load/relay.ts';
import { SYSTEM } from './run/backend.ts';
import { LEASE_S } from './system/ssh.ts';

/** What is cleaned up once nobody listens has so long, ms. */
const ENDING_MS = 5000;

// The address at which the other machine sees this one.
const [, , address] = (process.env.SSH_CONNECTION ?? '').split(' ');
const send = (message: FromHarness) => void process.stdout.write(lineOf(message));
const generators = new GeneratorsElsewhere(send);
const signals = new EventEmitter();

function end(): void {
  setTimeout(() => process.exit(1), ENDING_MS).unref();
  if (!signals.emit('SIGTERM', 'SIGTERM')) process.exit(1);
}

async function listen(): Promise<void> {
  let silent = setTimeout(end, LEASE_S * 1000);
  for await (const message of messagesOf(process.stdin, toHarnessSchema)) {
    clearTimeout(silent);
    silent = setTimeout(end, LEASE_S * 1000);
    if (message.kind === 'signal') signals.emit(message.name, message.name);
    else if (message.kind !== 'alive') generators.take(message);
    else send({ kind: 'clock', ms: performance.timeOrigin + performance.now(), of: message.ms });
  }
  end();
}

process.stdout.on('error', end);
process.stderr.on('error', end);
listen().catch(end);
const exitCode = await main(process.argv.slice(2), {
  // Whoever gets the records prints them.
  stdout: new Writable({ write: (_chunk, _encoding, done) => done() }),
  stderr: process.stderr,
  signals,
  backend:
    process.env[GENERATOR] === 'there'
      ? SYSTEM
      : {
          ...SYSTEM,
          describeMachine: async (folders) => {
            return { ...(await SYSTEM.describeMachine(folders)), hostsGenerator: false };
          },
          startLaunches: (signal) => startLaunchSession(signal, address),
          startGenerator: () => generators.start(),
        },
  isRelayed: true,
  onRecord: (record) => send({ kind: 'record', record }),
});
process.stdout.write(lineOf({ kind: 'over', exitCode }), () => process.exit(exitCode));
