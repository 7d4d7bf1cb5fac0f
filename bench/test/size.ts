/** Prints how large the project is, each figure beside its limit, and fails where one is exceeded. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { countCodeLines } from './support/code-lines.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Size {
  what: string;
  figure: number;
  limit: number;
}

/** Those that are or would be in git. */
async function filesOfCheckout(): Promise<string[]> {
  const which = ['--cached', '--others', '--exclude-standard', '-z'];
  const { stdout } = await execa('git', ['ls-files', ...which], { cwd: ROOT });
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const countLines = (text: string) => text.split('\n').length - 1;
const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;

function sum(files: string[], count: (file: string) => number): number {
  return files.reduce((total, file) => total + count(file), 0);
}

function sizesOf(files: string[]): Size[] {
  const source = files.filter((file) => /^bench\/src\/.*\.[cm]?[jt]s$/.test(file));
  const tests = files.filter((file) => /^bench\/test\/.*\.ts$/.test(file));
  const bytes = sum(files, (file) => statSync(join(ROOT, file)).size);
  return [
    {
      what: 'lines of bench/src that are neither blank, comment nor import',
      figure: sum(source, (file) => countCodeLines(textOf(file))),
      limit: 16_000,
    },
    {
      what: 'lines of bench/src',
      figure: sum(source, (file) => countLines(textOf(file))),
      limit: 22_000,
    },
    {
      what: 'lines of TypeScript in bench/test',
      figure: sum(tests, (file) => countLines(textOf(file))),
      limit: 22_000,
    },
    { what: 'words of docs/METHOD.md', figure: countWords(textOf('docs/METHOD.md')), limit: 5000 },
    {
      what: 'Markdown files in docs',
      figure: files.filter((file) => /^docs\/.*\.md$/.test(file)).length,
      limit: 14,
    },
    { what: 'MB of the checkout', figure: Math.ceil(bytes / 1e5) / 10, limit: 15 },
  ];
}

const sizes = sizesOf(await filesOfCheckout());
const rows = sizes.map(({ what, figure, limit }) => {
  const numbers = [figure, limit].map((each) => each.toLocaleString('en').padStart(8));
  return `${numbers.join(' of ')}  ${what}`;
});
console.log(rows.join('\n'));
const exceeded = sizes.filter(({ figure, limit }) => figure > limit);
if (exceeded.length > 0) {
  console.log(`\nToo many: ${exceeded.map(({ what }) => what).join('; ')}`);
  process.exitCode = 1;
}
