/** What documents show is there: commands, options and files. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask } from '../support/ask.ts';
import { command } from '../support/command.ts';
import { argumentsOf, SCRIPTS, SHOWN } from './commands.ts';
import { codeIn, DOCUMENTS, documentAt, pnpmCommands, ROOT } from './documents.ts';

const COMMANDS = documentAt('docs/COMMANDS.md');
const SERVERS = documentAt('docs/SERVERS.md');
/** What pnpm itself does. */
const PNPM_ITSELF = ['install'];

/** What the program says to arguments that it does not accept; nothing where it does. */
function refusalOf(args: string[]): string {
  const answer = ask(args);
  return answer.state === 'asked' || answer.exitCode === 0 ? '' : answer.error;
}

describe('commands', () => {
  test('are found in text, tables and blocks', () => {
    const markdown = [
      'Say `pnpm\nbench verify`, or `INSTANCES=2 pnpm build && pnpm exec pm2 start x.js`.',
      '',
      '| a | b |',
      '| - | - |',
      '| `pnpm test` | `-c` |',
      '',
      '    npx -y pnpm@12 check   # all of it',
      '',
      '```sh',
      '$ pnpm bench:cluster \\',
      '    --quick',
      '```',
    ];
    const code = codeIn(markdown.join('\n'));
    expect(
      pnpmCommands(code)
        .map((words) => words.join(' '))
        .sort(),
    ).toEqual([
      'bench verify',
      'bench:cluster --quick',
      'build',
      'check',
      'exec pm2 start x.js',
      'test',
    ]);
    expect(code.keys).toEqual(['pnpm test']);
  });

  test('are shown by the README and by CONTRIBUTING', () => {
    for (const path of ['README.md', 'CONTRIBUTING.md']) {
      expect(pnpmCommands(documentAt(path)), path).not.toEqual([]);
    }
  });

  test.each(SHOWN)('$document: pnpm $words is a script or a program', ({ words }) => {
    const [first = '', ...rest] = words;
    if ([...PNPM_ITSELF, ...Object.keys(SCRIPTS)].includes(first)) return;
    const [program = '', ...args] = first === 'exec' ? rest : words;
    expect(existsSync(join(ROOT, 'node_modules/.bin', program)), program).toBe(true);
    const files = args.filter((arg) => /\.\w+$/.test(arg));
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  const programs = SHOWN.flatMap((shown) => {
    const args = argumentsOf(shown);
    return args === null || args.length === 0 ? [] : [{ document: shown.document, args }];
  });

  test.each(programs)('$document: the program accepts $args', ({ args }) => {
    expect(refusalOf(args)).toBe('');
  });

  test('that nobody should accept are not accepted', () => {
    expect(refusalOf(['frameworks', '--no-such-option'])).toContain('--no-such-option');
    expect(refusalOf(['no-such-command'])).toContain('no-such-command');
  });
});

/** The commands that the program lists in its help. */
async function commandsOfProgram(): Promise<string[]> {
  const { stdout } = await command(['-h']);
  const [, list = ''] = stdout.split('\nCommands:\n');
  return [...list.matchAll(/^ {2}([a-z]\S*)/gm)].map(([, name = '']) => name).sort();
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

test('the documents have every command of the program, and every script, in their tables', async () => {
  const keys = [COMMANDS, documentAt('docs/TRUST.md')].flatMap((document) => document.keys);
  const listed = keys.flatMap((key) => pnpmCommands({ spans: [key], blocks: [] }));
  const scripts = listed.map(([script = '']) => script).filter((name) => name.startsWith('bench:'));
  expect(sorted(scripts)).toEqual(
    sorted(Object.keys(SCRIPTS).filter((name) => name.startsWith('bench:'))),
  );
  const plain = listed.flatMap(([script, command]) => (script === 'bench' ? (command ?? []) : []));
  const commands = [...scripts.map((name) => name.slice('bench:'.length)), ...plain];
  expect(sorted(commands)).toEqual(await commandsOfProgram());
});

test('every script of a command runs that command, as `pnpm bench` does', () => {
  for (const [name, line] of Object.entries(SCRIPTS)) {
    if (!name.startsWith('bench:')) continue;
    expect(line).toBe(`${SCRIPTS.bench} ${name.slice('bench:'.length)}`);
  }
});

test('the options in docs/COMMANDS.md are those that -h prints, word for word', async () => {
  const blocks = COMMANDS.blocks.filter((block) => /^ *-t, --targets /m.test(block));
  expect(blocks).toHaveLength(1);
  const { stdout } = await command(['frameworks', '-h']);
  const [, options = ''] = stdout.split('\nOptions:\n');
  expect(blocks[0]).toBe(options.trimEnd().replaceAll(/^ {2}/gm, ''));
});

test('the options of a run of servers in docs/SERVERS.md are those that -h prints of it alone', async () => {
  const blocks = SERVERS.blocks.filter((block) => /^--path /m.test(block));
  expect(blocks).toHaveLength(1);
  const { stdout } = await command(['run', '-h']);
  const own = /^ {2}--path .*?(?=^ {2}-d, )/ms.exec(stdout)?.[0] ?? '';
  expect(blocks[0]).toBe(own.trimEnd().replaceAll(/^ {2}/gm, ''));
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
  /** A path from the root, or from some folder on the way to it. */
  const isThere = (path: string) => {
    const tail = path.replace(/\/$/, '').replaceAll('*', '[^/]*');
    const named = new RegExp(`(^|/)${tail.replaceAll('.', '\\.')}$`);
    return ours.some((file) => named.test(file));
  };
  /** Made by a build or by a run, a reader's own, of a package that is named beside them, or no file. */
  const ELSEWHERE =
    /^@|^(?:results|site)\/|^dist\/|^hono-app|my-comparison|^lib\/|^router[-/]|^node_modules|^(?:application|database|encoding|net)\/|\.\.\.|[<>…]/;
  const NAMES = /^(?:[\w.@-]+\/)+[\w.*-]*$|^[\w.-]+\.(?:ts|mts|mjs|js|json|md|yaml)$/;
  const named = DOCUMENTS.flatMap(({ path, spans }) => {
    return sorted(spans.flatMap((span) => span.split(/[\s,]+/)))
      .filter((word) => NAMES.test(word) && !ELSEWHERE.test(word))
      .map((file) => ({ document: path, file }));
  });

  test('are named in every document but perhaps one', () => {
    expect(new Set(named.map(({ document }) => document)).size).toBeGreaterThan(
      DOCUMENTS.length - 2,
    );
  });

  test.each(DOCUMENTS)('that $path names are there', ({ path }) => {
    const missing = named.filter(({ document, file }) => document === path && !isThere(file));
    expect(missing.map(({ file }) => file)).toEqual([]);
  });
});
