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
import { parseOutput } from './k6-script.ts';

/** The memory that k6 may take before it collects garbage; a virtual user takes about 0.25 MB. */
const ROOM_MIB = 256;
const VUS_PER_MIB = 2;
/** Ports that another host forwards to this one, below those that systems give to connections. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

/** What k6 asks; it waits for the answers. */
const QUESTIONS = ['ready', 'refused', 'over'] as const;

/** Which segment of the load a k6 sends, and from which host; null for this machine. */
export interface Segment {
  index: number;
  of: number;
  host: string | null;
}

/** Starts k6 with this plan: it creates its virtual users and asks whether to begin. Disposing of it kills it. */
export async function startK6({ maxVUs, ...plan }: { maxVUs: number }, segment: Segment) {
  const asked = new Map(
    QUESTIONS.map((question) => [`/${question}`, Promise.withResolvers<ServerResponse>()]),
  );
  const server = createServer(({ url = '' }, response) => asked.get(url)?.resolve(response));
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port: here } = z.object({ port: z.int() }).parse(server.address());
  const there = segment.host === null ? here : FIRST_PORT + randomInt(PORTS);
  const questions = `http://${HOST}:${there}`;
  const input = Buffer.from(JSON.stringify({ ...plan, maxVUs, questions }));

  const script = readFileSync(join(SRC, 'load/k6-script.mjs'));
  const starter = readFileSync(join(SRC, 'load/k6.sh'), 'utf8');
  const variables = [
    // On one core Go's garbage collector delays requests, so it only runs when memory is short.
    'GOGC=off',
    `GOMEMLIMIT=${ROOM_MIB + Math.ceil(maxVUs / VUS_PER_MIB)}MiB`,
    // A generator on this machine has one core, even if it is not pinned.
    ...(segment.host === null ? ['GOMAXPROCS=1'] : []),
  ];
  const sizes = [script.length, input.length, LEASE_S].map(String);
  const command = [...variables, 'sh', '-c', starter, 'k6', ...sizes, ...optionsOf(segment)];
  const [file, args] =
    segment.host === null
      ? (['/usr/bin/env', command] as const)
      : overSsh(segment.host, ['env', ...command], { there, here });
  const child = execa(file, args, {
    // It outlives a kill of the generator's group to remove its folder.
    detached: true,
    // k6 warns of every request without an answer.
    stderr: function* (line: unknown) {
      if (!/^Request Failed|^Insufficient VUs/.test(String(line))) yield line;
    },
    reject: false,
  });
  child.stdin.on('error', () => {});
  child.stdin.write(Buffer.concat([script, input]));
  const living = setInterval(() => child.stdin.write('.'), SIGN_OF_LIFE_S * 1000);
  const ended = child.finally(() => clearInterval(living));
  const output = ended.then(({ failed, exitCode, signal, stdout, stderr, shortMessage }) => {
    if (!failed) return parseOutput(stdout.slice(stdout.indexOf('\n') + 1));
    const how = exitCode === undefined ? (signal ?? shortMessage) : `code ${exitCode}`;
    throw new Error(`k6 ended with ${how}: ${stderr}`);
  });
  output.catch(() => {});
  const printed = once(child.stdout, 'data').then(([data]) => Number.parseInt(String(data), 10));
  const pid = await Promise.race([printed, ended.then(() => 0)]);
  return {
    /** Null on another host. */
    pid: segment.host === null && pid > 0 ? pid : null,
    /** Resolves once it has ended. Rejects with its own errors when it failed. */
    output,
    /** Resolves once it has asked this, to a function that answers. */
    asked: async (question: (typeof QUESTIONS)[number]) => {
      const response = await asked.get(`/${question}`)?.promise;
      return () => response?.end();
    },
    async [Symbol.asyncDispose]() {
      // At the end of its input k6.sh kills k6.
      child.stdin.end();
      await child;
      server.closeAllConnections();
      server.close();
    },
  };
}

function optionsOf({ index, of }: Segment): string[] {
  const sequence = Array.from({ length: of + 1 }, (_, end) => `${end}/${of}`);
  const [from, to] = sequence.slice(index);
  return ['--execution-segment', `${from}:${to}`, '--execution-segment-sequence', sequence.join()];
}
