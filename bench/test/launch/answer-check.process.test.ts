/** Answers that a check command judges during verification. */
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { HOST } from '../../src/launch/server.ts';
import { originOf } from '../../src/launch/sockets.ts';
import { type Expectation, textExchange } from '../../src/targets/exchange.ts';
import { running, startTargets } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { listening } from '../support/listening.ts';
import { makeTarget } from '../support/make-record.ts';
import { SINGLE } from '../support/topologies.ts';

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
  const directory = dirname(place.write(`${checks++}/check.mjs`, check));
  let asked = 0;
  await using serving = createServer((_, response) => {
    response.end(answers[asked++ % answers.length]);
  });
  const external = { origin: originOf(HOST, await listening(serving)), pids: [] };
  const told = textExchange('');
  const body: Expectation['body'] = { kind: 'check', command: ['node', 'check.mjs', 'word'] };
  const requests = [{ ...told, expect: { ...told.expect, body } }];
  const target = makeTarget('app', { directory, requests, external, env: { NAME: 'app' } });
  const verifyOnce = async () => {
    const before = asked;
    await using ready = await startTargets([target], [SINGLE]);
    const { judged, exchanges } = running(ready, 'app/single');
    return { judged, exchanges, asked: asked - before };
  };
  for (let time = 1; time < times; time++) await verifyOnce();
  return await verifyOnce();
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
