/** Answers that a check command judges during verification. */
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

/** Begins a check, whose arguments are a word and the file of an answer. */
const READ = `import { readFileSync } from 'node:fs';
const [word, file] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');`;
/** Accepts answers that begin with "picture". */
const PICTURE = `${READ}
if (!text.startsWith('picture')) {
  console.log('it is no picture');
  process.exitCode = 1;
} else console.log('a remark'), console.log('{"bytes":7}');`;
const IN_PLACE = `${READ}
if (word !== 'word' || process.env.NAME !== 'app') process.exit(3);
console.log('{}');`;
const ONCE = `import { existsSync, writeFileSync } from 'node:fs';
if (existsSync('ran')) process.exit(1);
writeFileSync('ran', '');
console.log('{"once":1}');`;

let checks = 0;

/** Verifies a server that gives these answers in turn, so many times; returns the last result. */
async function verified(check: string, answers: string[], times = 1) {
  const directory = join(place.folder, `check-${checks++}`);
  mkdirSync(directory);
  writeFileSync(join(directory, 'check.mjs'), check);
  let asked = 0;
  await using guarded = startContext();
  await using serving = createServer((_, response) => {
    response.end(answers[asked++ % answers.length]);
  });
  const port = await listening(serving);
  const told = textExchange('');
  const body: Expectation['body'] = { kind: 'check', command: ['node', 'check.mjs', 'word'] };
  const requests = [{ ...told, expect: { ...told.expect, body } }];
  const target = makeTarget('app', { directory, requests, env: { NAME: 'app' } });
  const spec = { key: 'app/single', target, topology: SINGLE, address: HOST, port, services: [] };
  const server = runningServer(spec, { pids: [] }, null, () => []);
  for (let time = 1; time < times; time++) await verify(server, guarded.context);
  const before = asked;
  const { judged, exchanges } = await verify(server, guarded.context);
  return { judged, exchanges, asked: asked - before };
}

const JUDGED = {
  judged: [{ request: 'GET /', figures: { bytes: 7 } }],
  exchanges: [{ answer: { status: 200, body: { data: 'picture' } } }],
};
const KNOWN = { judged: [{ figures: { once: 1 } }], asked: 1 };
test.each<[what: string, check: string, times: number, found: object]>([
  ['keeps its bytes and the figures in the last line', PICTURE, 1, JUDGED],
  ['is checked in its folder, with its environment', IN_PLACE, 1, { judged: [{ figures: {} }] }],
  ['is asked and checked once if it was right before', ONCE, 2, KNOWN],
])('a right answer %s', async (_, check, times, found) => {
  expect(await verified(check, ['picture'], times)).toMatchObject(found);
});

test.each([
  ['the command gives a reason', PICTURE, 'ended with code 1: it is no picture'],
  ['it prints nothing', 'process.exit(2)', 'ended with code 2: it printed nothing'],
  ['it is no JSON', "console.log('a')", 'printed "a", which is not a JSON object of numbers'],
  ['a figure is no number', `console.log('{"a":1e999}')`, 'printed "{"a":1e999}", which is not'],
])('an answer is wrong if %s', async (_, check, problem) => {
  await expect(verified(check, ['a'])).rejects.toThrow(`GET /: its check ${problem}`);
});

test('an answer is wrong if the next differs', async () => {
  const problem =
    'its answers to the same request differ, so they could not be compared under load: ' +
    '"picture 1", and then "picture 2"';
  await expect(verified(PICTURE, ['picture 1', 'picture 2'])).rejects.toThrow(problem);
});
