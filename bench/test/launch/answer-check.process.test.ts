/** Servers whose answers a command judges, before any load. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOST } from '../../src/launch/server.ts';
import { runningServer } from '../../src/launch/start.ts';
import { verify } from '../../src/launch/verify.ts';
import { type Expectation, textExchange } from '../../src/targets/exchange.ts';
import { SINGLE, startContext } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { listening } from '../support/listening.ts';
import { makeTarget } from '../support/make-record.ts';

const place = ownPlace();

/** Begins a check, which is given a word and the file of an answer. */
const READ = `import { readFileSync } from 'node:fs';
const [word, file] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');`;
/** Finds those right that begin with "picture". */
const PICTURE = `${READ}
if (!text.startsWith('picture')) {
  console.log('it is no picture');
  process.exitCode = 1;
} else console.log('{"bytes":7}');`;

let checks = 0;

/** Verifies a server with these answers, one after the other; says how often it was asked. */
async function verified(check: string, answers: [string, ...string[]], times = 1) {
  const directory = join(place.folder, `check-${checks++}`);
  mkdirSync(directory);
  writeFileSync(join(directory, 'check.mjs'), check);
  let asked = 0;
  await using guarded = startContext();
  await using serving = createServer((_, response) => {
    response.end(answers[asked++ % answers.length]);
  });
  const port = await listening(serving);
  const told = textExchange({ method: 'GET', path: '/' }, { status: 200, headers: {}, body: '' });
  const body: Expectation['body'] = { kind: 'check', command: ['node', 'check.mjs', 'word'] };
  const requests = [{ ...told, expect: { ...told.expect, body } }];
  const target = makeTarget('app', { directory, requests, env: { NAME: 'app' } });
  const spec = { key: 'app/single', target, topology: SINGLE, address: HOST, port, services: [] };
  const server = runningServer(spec, { pids: [] }, null, () => []);
  for (let time = 1; time < times; time++) await verify(server, guarded.context);
  const before = asked;
  const { judged, agreed } = await verify(server, guarded.context);
  return { judged, agreed, asked: asked - before };
}

test('are right where the command says so, with its last figures and the very bytes', async () => {
  const check = PICTURE.replace('else', "else console.log('a remark'), ");
  expect(await verified(check, ['picture'])).toMatchObject({
    judged: [{ request: 'GET /', figures: { bytes: 7 } }],
    agreed: [{ answer: { status: 200, body: { data: 'picture' } } }],
  });
});

test('are judged in the target’s folder and environment, with the words of the command', async () => {
  const script = `${READ} if (word !== 'word' || process.env.NAME !== 'app') process.exit(3);`;
  const found = await verified(`${script} console.log('{}');`, ['picture']);
  expect(found).toMatchObject({ judged: [{ figures: {} }] });
});

test('are judged once, and asked once where that answer was right before', async () => {
  const check = `import { existsSync, writeFileSync } from 'node:fs';
    if (existsSync('ran')) process.exit(1);
    writeFileSync('ran', '');
    console.log('{"once":1}');`;
  const judged = [{ figures: { once: 1 } }];
  expect(await verified(check, ['a'], 2)).toMatchObject({ judged, asked: 1 });
});

test.each([
  ['the command gives a reason', PICTURE, 'its check ended with code 1: it is no picture'],
  ['it says nothing', 'process.exit(2)', 'its check ended with code 2: it said nothing'],
  ['it prints none', "console.log('a')", 'its check printed "a", which is no JSON of figures'],
])('have failed where %s', async (_, check, problem) => {
  await expect(verified(check, ['nothing'])).rejects.toThrow(`GET /: ${problem}`);
});

test('have failed where a right answer is not the same every time', async () => {
  const message = 'it does not answer the same every time';
  await expect(verified(PICTURE, ['picture 1', 'picture 2'])).rejects.toThrow(message);
});
