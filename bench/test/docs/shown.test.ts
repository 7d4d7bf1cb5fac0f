/** The commands, options and files in the documents exist, and declarations are valid. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { readWorkload } from '../../src/workload/read.ts';
import { ask } from '../support/ask.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { DOCUMENTED, DOCUMENTS, documentAt, pnpmCommands, SCRIPTS, SHOWN } from './documents.ts';

const COMMANDS = documentAt('docs/COMMANDS.md');
const SERVERS = documentAt('docs/SERVERS.md');
/** The commands of pnpm itself. */
const PNPM_ITSELF = ['install'];

describe('commands', () => {
  test.each(['README.md', 'CONTRIBUTING.md'])('are in %s', (path) => {
    expect(pnpmCommands(documentAt(path))).not.toEqual([]);
  });

  test.each(SHOWN)('$document: pnpm $words is a script or a program', ({ words }) => {
    const [first = '', ...rest] = words;
    if ([...PNPM_ITSELF, ...Object.keys(SCRIPTS)].includes(first)) return;
    const [program = '', ...args] = first === 'exec' ? rest : words;
    expect(existsSync(join(ROOT, 'node_modules/.bin', program)), program).toBe(true);
    const files = args.filter((arg) => /\.\w+$/.test(arg));
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test.each(DOCUMENTED)('are accepted: $line', ({ args }) => {
    const answer = ask(args);
    // The help is printed in place of running anything.
    expect(answer.state === 'ended' ? answer.error : '').toBe('');
  });
});

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/** The scripts of commands, with the commands that they run. */
const SCRIPTS_OF_COMMANDS = Object.keys(SCRIPTS).flatMap((script) => {
  const [, name] = /^bench:(.*)/.exec(script) ?? [];
  return name === undefined ? [] : [{ script, name }];
});

test('the tables of the documents have every command of the program, and every script', async () => {
  const keys = [COMMANDS, documentAt('docs/TRUST.md')].flatMap((document) => document.keys);
  const listed = pnpmCommands({ spans: keys, blocks: [] });
  const scripts = listed.map(([script = '']) => script).filter((name) => name.startsWith('bench:'));
  expect(sorted(scripts)).toEqual(sorted(SCRIPTS_OF_COMMANDS.map(({ script }) => script)));
  const plain = listed.flatMap(([script, command]) => (script === 'bench' ? (command ?? []) : []));
  const commands = [...scripts.map((name) => name.slice('bench:'.length)), ...plain];
  const { stdout } = await command(['-h']);
  const [, list = ''] = stdout.split('\nCommands:\n');
  const inHelp = [...list.matchAll(/^ {2}([a-z]\S*)/gm)].map(([, name = '']) => name);
  expect(sorted(commands)).toEqual(inHelp.sort());
});

test.each(SCRIPTS_OF_COMMANDS)('`pnpm $script` runs `pnpm bench $name`', ({ script, name }) => {
  expect(SCRIPTS[script]).toBe(`${SCRIPTS.bench} ${name}`);
});

test.each([
  ['all options', COMMANDS, /^ *-t, --targets /m, 'frameworks', /(?<=\nOptions:\n).*/s],
  ['the options of `run`', SERVERS, /^--path /m, 'run', /^ {2}--path .*?(?=^ {2}-d, )/ms],
])('%s are in a document as -h prints them', async (_, document, isIt, name, part) => {
  const blocks = document.blocks.filter((block) => isIt.test(block));
  expect(blocks).toHaveLength(1);
  const { stdout } = await command([name, '-h']);
  const [options = ''] = part.exec(stdout) ?? [];
  expect(blocks[0]).toBe(options.trimEnd().replaceAll(/^ {2}/gm, ''));
});

test('the declaration in docs/WORKLOADS.md is valid', () => {
  const declared = documentAt('docs/WORKLOADS.md').blocks.find((block) => block.startsWith('{'));
  using folder = temporaryFolder();
  folder.write('boards/workload.json', declared ?? '');
  const { workload } = readWorkload(join(folder.path, 'boards'));
  expect(workload).toMatchObject({ title: 'Two message boards', claims: [{ label: 'CPU' }] });
});

test('the README is no longer than 250 lines', () => {
  const lines = readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(250);
});

describe('files', () => {
  const ours = globSync('{.ci,.github,bench,docs,packages,workloads}/**/*', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  }).concat(globSync(['*', '.ci/*'], { cwd: ROOT }));
  /** Whether a path exists, from the root or from any folder. */
  const isThere = (path: string) => {
    const tail = path.replace(/\/$/, '').replaceAll('*', '[^/]*');
    const named = new RegExp(`(^|/)${tail.replaceAll('.', '\\.')}$`);
    return ours.some((file) => named.test(file));
  };
  /** Files of builds, runs, readers and packages, and words that only look like files. */
  const ELSEWHERE =
    /^@|^(?:results|site)\/|^dist\/|^hono-app|my-comparison|^lib\/|^router[-/]|^node_modules|^(?:application|database|encoding|net)\/|\.\.\.|[<>…]/;
  const NAMES = /^(?:[\w.@-]+\/)+[\w.*-]*$|^[\w.-]+\.(?:ts|mts|mjs|js|json|md|yaml)$/;
  const documents = DOCUMENTS.map(({ path, spans }) => {
    const words = sorted(spans.flatMap((span) => span.split(/[\s,]+/)));
    return { path, named: words.filter((word) => NAMES.test(word) && !ELSEWHERE.test(word)) };
  });

  test('are named in every document but perhaps one', () => {
    expect(documents.filter(({ named }) => named.length === 0).length).toBeLessThan(2);
  });

  test.each(documents)('that $path names are there', ({ named }) => {
    expect(named.filter((file) => !isThere(file))).toEqual([]);
  });
});
