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

/** The target as its `start` command runs it, killed at the end of the test whatever happens. */
function startTarget(target: (typeof TARGETS)[number], port: number) {
  const child = execa(process.execPath, [nodeScript(target) ?? ''], {
    cwd: target.directory,
    extendEnv: false,
    env: serverEnvironment(target, port),
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

async function answerOf(target: (typeof TARGETS)[number], port: number) {
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

test.each(TARGETS)('$name answers as it declares, and cannot share its port', async (target) => {
  const port = await freePort(HOST);
  await using first = startTarget(target, port);
  expect(problemOf(await answerOf(target, port), exchangeOf(target).expect)).toBeNull();
  await using second = startTarget(target, port);
  const { exitCode, stderr } = await second.child;
  expect(exitCode).toBe(1);
  expect(stderr).toContain('EADDRINUSE');
  expect(first.child.pid !== undefined && isAlive(first.child.pid)).toBe(true);
});

test.each(
  TARGETS.flatMap((target) => [
    { name: target.name, target, signal: 'SIGTERM' as const },
    { name: target.name, target, signal: 'SIGINT' as const },
  ]),
)('$name closes on $signal, also with a connection open', async ({ target, signal }) => {
  const port = await freePort(HOST);
  await using server = startTarget(target, port);
  await answerOf(target, port);
  server.child.kill(signal);
  const result = await server.child;
  expect(result.exitCode === 0 || result.signal === signal).toBe(true);
});
