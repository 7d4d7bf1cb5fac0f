/**
 * The command line on the machine of the servers, for a user on another machine, which sends the load and gets the
 * records. It ends, with all that it has started, once the connection is gone.
 */
import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { main } from './commands/main.ts';
import { startLaunchSession } from './launch/session.ts';
import {
  type FromHarness,
  GENERATOR,
  lineOf,
  messagesOf,
  remoteGenerators,
  toHarnessSchema,
} from './load/relay.ts';
import { type Backend, SYSTEM } from './run/backend.ts';
import { LEASE_S } from './system/ssh.ts';

/** How long cleaning up may take once nobody listens, ms. */
const ENDING_MS = 5000;

// The address at which the user's machine reaches this one.
const [, , address] = (process.env.SSH_CONNECTION ?? '').split(' ');
const send = (message: FromHarness) => void process.stdout.write(lineOf(message));
const generators = remoteGenerators(send);
const signals = new EventEmitter();

function end(): void {
  setTimeout(() => process.exit(1), ENDING_MS).unref();
  if (!signals.emit('SIGTERM', 'SIGTERM')) process.exit(1);
}

async function listen(): Promise<void> {
  const silence = setTimeout(end, LEASE_S * 1000);
  for await (const message of messagesOf(process.stdin, toHarnessSchema)) {
    silence.refresh();
    if (message.kind === 'signal') signals.emit(message.name, message.name);
    else if (message.kind !== 'alive') generators.take(message);
    else send({ kind: 'clock', ms: performance.timeOrigin + performance.now(), of: message.ms });
  }
  end();
}

process.stdout.on('error', end);
process.stderr.on('error', end);
listen().catch(end);
const loadedFromElsewhere: Backend = {
  ...SYSTEM,
  describeMachine: async (folders) => {
    return { ...(await SYSTEM.describeMachine(folders)), hostsGenerator: false };
  },
  startLaunches: (signal) => startLaunchSession(signal, address),
  startGenerator: async () => generators.start(),
};
const exitCode = await main(process.argv.slice(2), {
  // The other machine gets the records and prints them.
  stdout: new Writable({ write: (_chunk, _encoding, done) => done() }),
  stderr: process.stderr,
  signals,
  backend: process.env[GENERATOR] === 'there' ? SYSTEM : loadedFromElsewhere,
  isRelayed: true,
  onRecord: (record) => send({ kind: 'record', record }),
});
process.stdout.write(lineOf({ kind: 'over', exitCode }), () => process.exit(exitCode));
