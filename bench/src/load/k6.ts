import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { SRC } from '../base/places.ts';
import { HOST } from '../launch/server.ts';
import { LEASE_S, overSsh, SIGN_OF_LIFE_S } from '../system/ssh.ts';
import { type K6Told, parseTold } from './k6-told.ts';

/** Memory that k6 may take before it collects garbage: a virtual user alone takes about 0.25 MB. */
const ROOM_MIB = 256;
const VUS_PER_MIB = 2;
/** Ports of another host that lead here are from these on: below those that systems give to connections. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

/** What k6 asks on its way, and then waits for the answer. */
type Question = 'ready' | 'refused' | 'over';

/** k6 under way; disposing of it kills it. */
export interface K6 extends AsyncDisposable {
  /** Its process; null where that is another host's. */
  readonly pid: number | null;
  /** Aborted once it has ended, in whatever way. */
  readonly ended: AbortSignal;
  /** Resolves once this is asked for the first time, to a function that answers. */
  asked(question: Question): Promise<() => void>;
  /** Waits for its end. @throws when it failed, with its own last errors. */
  told(): Promise<K6Told>;
}

/** Which of several k6 this is, and the host that it runs on; null for this machine. */
export interface Share {
  index: number;
  of: number;
  host: string | null;
}

/** Starts k6 with what its script is told, which makes its virtual users and asks whether to begin. @throws when it can't start. */
export async function startK6(plan: { maxVUs: number }, share: Share): Promise<K6> {
  const asked = {
    '/ready': Promise.withResolvers<ServerResponse>(),
    '/refused': Promise.withResolvers<ServerResponse>(),
    '/over': Promise.withResolvers<ServerResponse>(),
  };
  const isQuestion = (path: string): path is keyof typeof asked => path in asked;
  const server = createServer(({ url = '' }, response) => {
    if (isQuestion(url)) asked[url].resolve(response);
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port: here } = z.object({ port: z.int() }).parse(server.address());
  const there = share.host === null ? here : FIRST_PORT + randomInt(PORTS);
  const told = Buffer.from(JSON.stringify({ ...plan, questions: `http://${HOST}:${there}` }));

  const script = readFileSync(join(SRC, 'load/k6-script.mjs'));
  const sizes = [script.length, told.length, LEASE_S].map(String);
  const starter = readFileSync(join(SRC, 'load/k6.sh'), 'utf8');
  const command = ['env', ...environmentOf(plan, share), 'sh', '-c', starter, 'k6', ...sizes];
  command.push(...segmentOf(share));
  const [file, args] =
    share.host === null
      ? (['/usr/bin/env', command.slice(1)] as const)
      : overSsh(share.host, command, { there, here });
  const child = execa(file, args, {
    // Whoever kills the generator's group leaves it the time to remove its folder.
    detached: true,
    // It warns of every request without an answer.
    stderr: function* (line: unknown) {
      if (!/^Request Failed|^Insufficient VUs/.test(String(line))) yield line;
    },
    reject: false,
  });
  child.stdin.on('error', () => {});
  child.stdin.write(Buffer.concat([script, told]));
  const living = setInterval(() => child.stdin.write('.'), SIGN_OF_LIFE_S * 1000);
  const ended = new AbortController();
  child.then(() => {
    clearInterval(living);
    ended.abort();
  });
  const said = once(child.stdout, 'data', { signal: ended.signal }).then(([data]) => String(data));
  const pid = Number((await said.catch(() => '')).split('\n')[0]);
  return {
    pid: share.host === null && pid > 0 ? pid : null,
    ended: ended.signal,
    asked: async (question) => {
      const response = await asked[`/${question}`].promise;
      return () => response.end();
    },
    told: async () => {
      const { failed, exitCode, signal, stdout, stderr, shortMessage } = await child;
      if (!failed) return parseTold(stdout.slice(stdout.indexOf('\n') + 1));
      const how = exitCode === undefined ? (signal ?? shortMessage) : `code ${exitCode}`;
      throw new Error(`k6 ended with ${how}: ${stderr}`);
    },
    async [Symbol.asyncDispose]() {
      // Without it what started k6 kills it.
      child.stdin.end();
      await child;
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Variables of k6, as `NAME=value`. */
function environmentOf({ maxVUs }: { maxVUs: number }, { host }: Share): string[] {
  return [
    // A generator on this machine is one core wide, also where it is not bound to one.
    ...(host === null ? ['GOMAXPROCS=1'] : []),
    // On one core Go's collector holds requests up, so it comes when there is no room left.
    'GOGC=off',
    `GOMEMLIMIT=${ROOM_MIB + Math.ceil(maxVUs / VUS_PER_MIB)}MiB`,
  ];
}

/** The options of one of several k6 that share a load. */
function segmentOf({ index, of }: Share): string[] {
  if (of === 1) return [];
  const ends = Array.from({ length: of + 1 }, (_, end) => `${end}/${of}`);
  const sequence = ['0', ...ends.slice(1, -1), '1'].join(',');
  const [from, to] = sequence.split(',').slice(index);
  return ['--execution-segment', `${from}:${to}`, '--execution-segment-sequence', sequence];
}
