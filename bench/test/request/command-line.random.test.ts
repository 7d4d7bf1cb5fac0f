import fc from 'fast-check';
import { expect } from 'vitest';
import { commandsFor } from '../../src/commands/index.ts';
import { OPTIONS } from '../../src/request/options.ts';
import { ask } from '../support/ask.ts';
import { property, textOf } from '../support/random.ts';

/** What these words ask of a run; null where they ask for something else, or are refused, which says why. */
function read(argv: string[]) {
  const answer = ask(argv);
  if (answer.state === 'asked') return answer.asked.run;
  expect(answer.out + answer.error).toMatch(/error: |Usage: /);
  return null;
}

const VALUES = [
  ...['1', '0.5', '2%', '10%..95%', '500', 'all', 'a,b', 'single,2', 'node@22', 'pacer'],
  ...['accept: a', 'A=b', '/é', 'GET', 'http://127.0.0.1:80', 'x', '-1', '', '--', '--json'],
  ...['constructor', 'node server.js', '--seed', '-o'],
];
const value = fc.oneof(fc.constantFrom(...VALUES), textOf('1', ',', '-', '%', '='));
const flags = Object.values(OPTIONS).map((option) => option.flags.split(/[ ,]+/));
const option = fc.constantFrom(...flags).chain((words) => {
  const names = words.filter((word) => word.startsWith('-'));
  const takes = words.some((word) => word.startsWith('<'));
  return fc.tuple(fc.constantFrom(...names), value, fc.boolean()).map(([name, given, isJoined]) => {
    if (!takes) return [name];
    return isJoined ? [name.startsWith('--') ? `${name}=${given}` : name + given] : [name, given];
  });
});
const commands = [...commandsFor([]).map(({ name }) => name), ''];
const word = value.map((each) => [each]);
const rest = fc.oneof({ weight: 4, arbitrary: option }, { weight: 1, arbitrary: word });
const words = fc
  .tuple(fc.constantFrom('run', 'frameworks', ...commands), fc.array(rest, { maxLength: 4 }))
  .map(([command, others]) => [command, ...others.flat()]);

/** What it does not take over: where and how the first was shown. */
const OUTPUT = ['out', 'profileDir', 'json', 'plain', 'details', 'explain'] as const;

property('any words ask for a run that can be made again, or are refused', words, (argv) => {
  const request = read(argv);
  if (request === null) return;
  const { options, given, words: named, rest: command, again } = request;
  const { durationS, sliceS, launches, warmupS, connections, seed } = options;
  for (const amount of [durationS, sliceS, launches, connections]) {
    expect(amount).toBeGreaterThan(0);
    expect(amount).toBeLessThan(Number.POSITIVE_INFINITY);
  }
  expect(warmupS).toBeGreaterThanOrEqual(0);
  expect(Number.isInteger(seed)).toBe(true);
  const repeated = read(again);
  // Values that may be secret, and names of machines, are not kept.
  const { header, body, url, generatorHosts, serverHost } = given;
  if (header ?? body ?? url ?? generatorHosts ?? serverHost) return;
  expect(repeated).toMatchObject({ words: named, rest: command, options });
  expect(OUTPUT.filter((name) => repeated?.given[name] !== undefined)).toEqual([]);
});
