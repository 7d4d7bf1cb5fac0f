import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judge } from '../../src/launch/judge.ts';
import { startContext } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
let scripts = 0;

let guarded: ReturnType<typeof startContext>;
beforeAll(() => {
  guarded = startContext();
  place.keep();
});
afterAll(() => guarded[Symbol.asyncDispose]());

/** Has this script, which is given a word and the answer's file, judge an answer. */
async function judged(script: string, answer = Buffer.from([0xff, 1]), times = 1) {
  const directory = join(place.folder, `judge-${scripts++}`);
  mkdirSync(directory);
  writeFileSync(join(directory, 'check.mjs'), script);
  const target = { directory, env: { NAME: 'app' }, passed: {} };
  const results = [];
  for (let time = 0; time < times; time++) {
    results.push(await judge(answer, ['node', 'check.mjs', 'word'], target, guarded.context));
  }
  return results;
}

const READ = `import { readFileSync } from 'node:fs';
const [word, file] = process.argv.slice(2);
const size = readFileSync(file).length;`;

test('an answer is right where the command says so, with the figures that it prints last', async () => {
  const [found] = await judged(
    `${READ} console.log('a remark'); console.log(JSON.stringify({ size }));`,
  );
  expect(found).toEqual({ state: 'right', figures: { size: 2 }, isKnown: false });
});

test('it is judged in the target’s folder and environment, with its words', async () => {
  const script = `${READ} if (word !== 'word' || process.env.NAME !== 'app') process.exit(3);`;
  const [found] = await judged(`${script} console.log('{}');`);
  expect(found).toMatchObject({ state: 'right' });
});

test('the same answer is judged once', async () => {
  const [first, second] = await judged(`${READ} console.log('{"once":1}');`, Buffer.from('x'), 2);
  expect(first).toMatchObject({ isKnown: false });
  expect(second).toEqual({ state: 'right', figures: { once: 1 }, isKnown: true });
});

test('it is wrong with the reason that the command prints', async () => {
  const [found] = await judged(`console.log('it is too small'); process.exitCode = 1;`);
  expect(found).toEqual({
    state: 'wrong',
    message: 'its check ended with code 1: it is too small',
  });
});

test('a command that prints no figures says nothing', async () => {
  const [found] = await judged(`console.log('fine');`);
  expect(found).toEqual({
    state: 'wrong',
    message: 'its check printed "fine", which is no JSON of figures',
  });
});
