/** Servers whose answers a command judges, before any load. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningStart } from '../../src/launch/server.ts';
import { verify } from '../../src/launch/verify.ts';
import { type Expectation, textExchange } from '../../src/targets/exchange.ts';
import { SINGLE, startContext } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeTarget } from '../support/make-record.ts';

const place = ownPlace();
let guarded: ReturnType<typeof startContext>;
beforeAll(() => {
  guarded = startContext();
  place.keep();
});
afterAll(() => guarded[Symbol.asyncDispose]());

const CHECK = `import { readFileSync } from 'node:fs';
if (!readFileSync(process.argv[2], 'utf8').startsWith('picture')) {
  console.log('it is no picture');
  process.exitCode = 1;
} else console.log('{"bytes":7}');`;

/** Verifies a server with these answers, one after the other, which are right if they begin with "picture". */
async function verified(answers: [string, ...string[]]) {
  writeFileSync(join(place.folder, 'check.mjs'), CHECK);
  let asked = 0;
  await using serving = createServer((_, response) =>
    response.end(answers[asked++ % answers.length]),
  );
  await new Promise<void>((resolve) => serving.listen(0, '127.0.0.1', resolve));
  const address = serving.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const declared = textExchange(
    { method: 'GET', path: '/' },
    { status: 200, headers: {}, body: '' },
  );
  const body: Expectation['body'] = { kind: 'check', command: ['node', 'check.mjs'] };
  const requests = [{ ...declared, expect: { ...declared.expect, body } }];
  const target = makeTarget('app', { directory: place.folder, requests });
  const spec = { key: 'app/single', target, topology: SINGLE, port, services: [] };
  const origin = `http://127.0.0.1:${port}`;
  const { outcome } = runningStart(spec, { pids: [], managerPids: [], origin }, '/nowhere');
  if (outcome.state === 'failed') throw new Error('it is running');
  return await verify(outcome.server, guarded.context);
}

test('are verified with the figures that the command found, and with the very bytes', async () => {
  expect(await verified(['picture'])).toMatchObject({
    state: 'verified',
    judged: [{ request: 'GET /', figures: { bytes: 7 } }],
    agreed: [{ answer: { status: 200, body: { data: 'picture' } } }],
  });
});

test('have failed with the reason that the command gives', async () => {
  const message = 'GET /: its check ended with code 1: it is no picture';
  expect(await verified(['nothing'])).toEqual({ state: 'failed', message });
});

test('have failed where a right answer is not the same every time', async () => {
  expect(await verified(['picture 1', 'picture 2'])).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('it does not answer the same every time'),
  });
});
