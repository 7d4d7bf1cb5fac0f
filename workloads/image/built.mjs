// What a target's build took and what came of it, in dist/built.json of the folder where this is called.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { bench } = JSON.parse(readFileSync('package.json', 'utf8'));
const [program] = bench.start;

const isCompiled = program === 'dist/server';
export const NOTE = 'dist/built.json';

/** Saves how long the build took, s, where that is known, and how large what runs is, bytes. */
export function note(build) {
  const files = [...new Set(parts().map((file) => realpathSync(file)))];
  if (files.length === 0) return;
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
  mkdirSync('dist', { recursive: true });
  writeFileSync(NOTE, JSON.stringify({ size, build }));
}

/** The files of a server: its programs with all libraries that they load, and its packages. */
function parts() {
  if (isCompiled) return withLibraries([program]);
  if (program === 'node') return [...withLibraries([process.execPath]), ...packageFiles()];
  return withLibraries(bench.needs.flatMap((pattern) => globSync(pattern)));
}

function withLibraries(programs) {
  return programs.flatMap((file) => {
    const told = execFileSync('ldd', [file], { encoding: 'utf8' });
    return [file, ...[...told.matchAll(/(\/\S+) \(0x/g)].map(([, library]) => library)];
  });
}

/** Of the packages that are installed for more than building. */
function packageFiles() {
  const args = ['ls', '--omit=dev', '--all', '--parseable'];
  const told = execFileSync('npm', args, { cwd: '..', encoding: 'utf8' });
  const folders = told.split('\n').filter((folder) => folder.includes('node_modules'));
  return folders.flatMap((folder) => {
    return globSync('**', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  });
}
