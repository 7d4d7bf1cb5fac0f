/** Prints how large the project is, each figure beside its limit, and fails where one is exceeded. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { countCodeLines } from './support/code-lines.ts';

const ROOT = join(import.meta.dirname, '../..');

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

const files = await filesOfCheckout();
const source = files.filter((file) => /^bench\/src\/.*\.[cm]?[jt]s$/.test(file));
const tests = files.filter((file) => /^bench\/test\/.*\.ts$/.test(file));
const documents = files.filter((file) => /^docs\/.*\.md$/.test(file));
const codeLines = sum(source, (file) => countCodeLines(textOf(file)));
const megabytes = Math.ceil(sum(files, (file) => statSync(join(ROOT, file)).size) / 1e5) / 10;
/** Lines of code that the core may have, and as many as `ab` and the package, faults, and more machines may add. */
const [CORE, ADDED] = [16_000, 3400];
/** A limit on the core's lines, and what those parts may add to it in proportion. */
const withAdded = (lines: number) => Math.round((lines * (CORE + ADDED)) / CORE);
const sizes: [figure: number, limit: number, what: string][] = [
  [codeLines, withAdded(CORE), 'lines of bench/src that are neither blank, comment nor import'],
  [sum(source, (file) => countLines(textOf(file))), withAdded(22_000), 'lines of bench/src'],
  [
    sum(tests, (file) => countLines(textOf(file))),
    withAdded(22_000),
    'lines of TypeScript in bench/test',
  ],
  [countWords(textOf('docs/METHOD.md')), 5000, 'words of docs/METHOD.md'],
  [documents.length, 14, 'Markdown files in docs'],
  [megabytes, 15, 'MB of the checkout'],
];
const rows = sizes.map(([figure, limit, what]) => {
  const numbers = [figure, limit].map((each) => each.toLocaleString('en').padStart(8));
  return `${numbers.join(' of ')}  ${what}`;
});
console.log(rows.join('\n'));
const exceeded = sizes.filter(([figure, limit]) => figure > limit);
if (exceeded.length > 0) {
  console.log(`\nToo many: ${exceeded.map(([, , what]) => what).join('; ')}`);
  process.exitCode = 1;
}
