import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { SRC } from '../base/places.ts';
import { HOST } from '../launch/server.ts';
import { answersSchema, ledgerSchema } from './measurement.ts';

const SCRIPT = join(SRC, 'load/k6-script.mjs');
/** Without its REST API, whose port may be taken, and without a word to anybody. */
const FLAGS = ['run', '--quiet', '--no-usage-report', '--address', ''];
/** Memory that k6 may take before it collects garbage: a virtual user alone takes about 0.25 MB. */
const ROOM_MIB = 256;
const VUS_PER_MIB = 2;

const count = z.int().min(0);
const countsSchema = ledgerSchema.omit({ inFlight: true }).extend({
  late: count,
  /** Those that came to an end, by k6's own count. */
  iterations: count,
  /** Those that never began, because no virtual user was free. */
  dropped_iterations: count,
  /** Bytes. */
  data_received: z.number().min(0),
});
const trendSchema = z.object({ max: z.number(), quantiles: z.array(z.number()) });

const toldSchema = z.object({
  /** Ramp and window. */
  all: countsSchema,
  window: countsSchema,
  /** The window's answers by exchange. */
  answers: z.array(answersSchema),
  /** Of the window's requests answered as declared, from the planned instant, ms. */
  latency: trendSchema,
  /** Of the same, from the instant at which k6 began them, ms. */
  response: trendSchema,
  /** Between the two, of all that were sent in the window, ms. */
  lateness: trendSchema,
});
/** What k6 tells once it is over. */
export type K6Told = z.infer<typeof toldSchema>;
export type K6Trend = z.infer<typeof trendSchema>;

/** What k6 asks on its way, and then waits for the answer. */
type Question = 'ready' | 'refused' | 'over';

/** k6 under way; disposing of it kills it. */
export interface K6 extends AsyncDisposable {
  readonly pid: number;
  /** Aborted once it has ended, in whatever way. */
  readonly ended: AbortSignal;
  /** Resolves once this is asked for the first time, to a function that answers. */
  asked(question: Question): Promise<() => void>;
  /** Waits for its end. @throws when it failed, with its own last errors. */
  told(): Promise<K6Told>;
}

/** What k6's script printed at its end. @throws for what is none of that. */
export function parseTold(stdout: string): K6Told {
  try {
    return toldSchema.parse(JSON.parse(stdout));
  } catch (cause) {
    throw new Error(`k6 ended without figures: ${JSON.stringify(stdout.slice(0, 100))}`, { cause });
  }
}

/** Starts k6 with what its script is told, which makes its virtual users and asks whether to begin. @throws when it can't start. */
export async function startK6(plan: { maxVUs: number }): Promise<K6> {
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
  const address = z.object({ port: z.int() }).parse(server.address());
  const questions = `http://${HOST}:${address.port}`;

  const child = execa('k6', [...FLAGS, SCRIPT], {
    env: {
      // A generator is one core wide, also where it is not bound to one.
      GOMAXPROCS: '1',
      // On one core Go's collector holds requests up, so it comes when there is no room left.
      GOGC: 'off',
      GOMEMLIMIT: `${ROOM_MIB + Math.ceil(plan.maxVUs / VUS_PER_MIB)}MiB`,
      OVERHEAD_PLAN: JSON.stringify({ ...plan, questions }),
    },
    stdin: 'ignore',
    // It warns of every request without an answer.
    stderr: function* (line: unknown) {
      if (!/level=(info|warning)/.test(String(line))) yield line;
    },
    killSignal: 'SIGKILL',
    reject: false,
  });
  const ended = new AbortController();
  child.then(() => ended.abort());
  const { pid } = child;
  if (pid === undefined) {
    server.close();
    const { cause } = await child;
    throw new Error(`k6 did not start: ${messageOf(cause)}`, { cause });
  }
  return {
    pid,
    ended: ended.signal,
    asked: async (question) => {
      const response = await asked[`/${question}`].promise;
      return () => response.end();
    },
    told: async () => {
      const { failed, exitCode, signal, stdout, stderr } = await child;
      if (failed) throw new Error(`k6 ended with ${signal ?? `code ${exitCode}`}: ${stderr}`);
      return parseTold(stdout);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child;
      server.closeAllConnections();
      server.close();
    },
  };
}
