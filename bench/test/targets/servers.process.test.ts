import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { HOST, serverEnvironment } from '../../src/launch/server.ts';
import { problemOf } from '../../src/launch/verify.ts';
import { freePort } from '../../src/system/free-port.ts';
import { isAlive } from '../../src/system/processes.ts';
import { nodeScript, readTargets } from '../../src/targets/targets.ts';
import { exchangeOf } from '../support/make-record.ts';

const TARGETS = readTargets(join(import.meta.dirname, '../../../packages'));

type Target = (typeof TARGETS)[number];

/** The target as its `start` command runs it, killed at the end of the test whatever happens. */
function startTarget(target: Target, port: number) {
  const child = execa(process.execPath, [nodeScript(target) ?? ''], {
    cwd: target.directory,
    extendEnv: false,
    env: serverEnvironment(target, { address: HOST, port }),
    reject: false,
  });
  return {
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child;
      expect(child.pid !== undefined && isAlive(child.pid)).toBe(false);
    },
  };
}

async function answerOf(target: Target, port: number) {
  for (let attempt = 0; attempt < 500; attempt++) {
    try {
      const response = await fetch(`http://${HOST}:${port}${exchangeOf(target).request.path}`);
      const headers = Object.fromEntries(response.headers);
      return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`${target.name} did not answer`);
}

test.each(TARGETS)(
  '$name answers as it declares, cannot share its port, and closes on SIGTERM with a connection open',
  async (target) => {
    const port = await freePort(HOST);
    await using first = startTarget(target, port);
    expect(problemOf(await answerOf(target, port), exchangeOf(target).expect)).toBeNull();
    await using second = startTarget(target, port);
    const { exitCode, stderr } = await second.child;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('EADDRINUSE');
    expect(first.child.pid !== undefined && isAlive(first.child.pid)).toBe(true);
    await closesOn('SIGTERM', target, first);
  },
);

test.each(TARGETS)('$name closes on SIGINT with a connection open', async (target) => {
  const port = await freePort(HOST);
  await using server = startTarget(target, port);
  await answerOf(target, port);
  await closesOn('SIGINT', target, server);
});

/** Those that end by themselves once they are closed; Nest then sends itself the signal again. */
const END_THEMSELVES = ['express-app', 'fastify-app', 'node-http'];

async function closesOn(
  signal: NodeJS.Signals,
  { name }: Target,
  { child }: ReturnType<typeof startTarget>,
): Promise<void> {
  child.kill(signal);
  const { exitCode, signal: by } = await child;
  const expected = END_THEMSELVES.includes(name) ? { exitCode: 0 } : { by: signal };
  expect({ exitCode, by }).toEqual(expected);
}
