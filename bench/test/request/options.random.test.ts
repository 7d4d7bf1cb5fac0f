import { CommanderError } from 'commander';
import fc from 'fast-check';
import { expect } from 'vitest';
import { runCommands } from '../../src/commands/index.ts';
import type { Kind } from '../../src/commands/kind.ts';
import { parseArguments, type Request } from '../../src/request/options.ts';
import { RUN_OPTIONS } from '../../src/request/run-options.ts';
import { property, textOf, unless } from '../support/random.ts';

/** What these words ask for; undefined where they are refused, which says why. */
function read(argv: string[]): Request<Kind> | undefined {
  let said = '';
  const say = (text: string) => {
    said += text;
  };
  const context = {
    ...{ packages: 'packages', commands: runCommands([]), drawSeed: () => 7, write: say },
    ...{ drivers: ['pacer', 'k6'] as [string, ...string[]], writeError: say },
  };
  const request = unless(CommanderError, () => parseArguments(argv, context));
  if (request === undefined) expect(said).toMatch(/error: |Usage: /);
  return request;
}

const VALUES = [
  ...['1', '0.5', '2%', '10%..95%', '500', 'all', 'a,b', 'single,2', 'node@22', 'pacer'],
  ...['accept: a', 'A=b', '/é', 'GET', 'http://127.0.0.1:80', 'x', '-1', '', '--', '--json'],
  ...['constructor', 'node server.js', '--seed', '-o'],
];
const value = fc.oneof(fc.constantFrom(...VALUES), textOf('1', ',', '-', '%', '='));
const flags = Object.values(RUN_OPTIONS).map((option) => option.flags.split(/[ ,]+/));
const option = fc.constantFrom(...flags).chain((words) => {
  const names = words.filter((word) => word.startsWith('-'));
  const takes = words.some((word) => word.startsWith('<'));
  return fc.tuple(fc.constantFrom(...names), value, fc.boolean()).map(([name, given, isJoined]) => {
    if (!takes) return [name];
    return isJoined ? [name.startsWith('--') ? `${name}=${given}` : name + given] : [name, given];
  });
});
const commands = [
  ...runCommands([]).map(({ name }) => name),
  'verify',
  'report',
  'open',
  'site',
  '',
];
const words = fc
  .tuple(
    fc.constantFrom('run', 'frameworks', ...commands),
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: option },
        { weight: 1, arbitrary: value.map((each) => [each]) },
      ),
      {
        maxLength: 4,
      },
    ),
  )
  .map(([command, rest]) => [command, ...rest.flat()]);

property(
  'any words are asked for in amounts that can be, or are refused with a reason',
  words,
  (argv) => {
    const request = read(argv);
    if (request?.command !== 'run') return;
    const { durationS, sliceS, launches, warmupS, connections, seed } = request.options;
    for (const amount of [durationS, sliceS, launches, connections]) {
      expect(amount).toBeGreaterThan(0);
      expect(amount).toBeLessThan(Number.POSITIVE_INFINITY);
    }
    expect(warmupS).toBeGreaterThanOrEqual(0);
    expect(Number.isInteger(seed)).toBe(true);
  },
  { share: 0.5 },
);

/** What it does not take over of where and how the first was shown. */
const OUTPUT = {
  ...{ out: null, profileDir: null, json: false, plain: false, details: false, explain: false },
};

property(
  'what measures the same again asks for the same, into a file of its own',
  words,
  (argv) => {
    const request = read(argv);
    if (request?.command !== 'run') return;
    const { options, given, servers, again } = request;
    const repeated = read(again);
    if (given.header ?? given.body ?? given.url) return;
    expect(repeated).toMatchObject({ command: 'run', servers, options: { ...options, ...OUTPUT } });
  },
  { share: 0.5 },
);
