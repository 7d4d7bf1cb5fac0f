/**
 * Makes `dist/`, what the npm package holds: the harness as JavaScript with its types, and the servers that it
 * starts itself. Libraries that only compute or format are compiled in: installed, they would weigh twice as much
 * as all the rest.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { build, type OutputAsset, type OutputChunk } from 'rolldown';
import { BENCH, ROOT, SRC } from '../src/base/places.ts';

const DIST = join(ROOT, 'dist');

/** The command line, the functions, and what the harness starts as a process of its own. */
const ENTRIES = ['cli', 'index', 'remote', 'load/generator-process', 'launch/guard'];
/** What is read or started as it is. */
const FILES = [
  ...[
    'src/load/k6-script.mjs',
    'src/load/k6.sh',
    'src/load/host.sh',
    'src/launch/on-host.sh',
    'src/launch/unpack.mjs',
    'src/launch/cluster-primary.mjs',
    'src/launch/keep-heap.cjs',
  ],
  ...['src/launch/threads-primary.mjs', 'src/launch/reuse-port.cjs'],
  ...['src/report/html/client', 'answering', 'canned', 'published'],
];
/** The dependencies of the package: what makes the load, and what its types name. */
const EXTERNAL = /^(node:.*|autocannon|hdr-histogram-js|zod)$/;

rmSync(DIST, { recursive: true, force: true });
const { output } = await build({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(SRC, `${entry}.ts`)])),
  platform: 'node',
  external: EXTERNAL,
  transform: {
    target: 'node22',
    // Node 24 has it.
    inject: { AsyncDisposableStack: 'core-js-pure/actual/async-disposable-stack' },
  },
  checks: { eval: false },
  output: {
    dir: join(DIST, 'src'),
    format: 'esm',
    // Every chunk is in a folder of dist/src, as base/places.ts is in one of bench/src.
    chunkFileNames: 'base/[name].js',
  },
});
cpSync(join(BENCH, 'pack/overhead.js'), join(DIST, 'overhead.js'));
for (const file of FILES) cpSync(join(BENCH, file), join(DIST, file), { recursive: true });
// The package's own manifest serves CommonJS as well, for pm2's configuration in the checkout.
writeFileSync(join(DIST, 'package.json'), '{ "type": "module" }\n');
writeFileSync(join(DIST, 'LICENSES.txt'), licensesOf(output.flatMap(modulesOf)));
await execa('tsc', ['--project', join(BENCH, 'pack')], { preferLocal: true, localDir: ROOT });

function modulesOf(part: OutputChunk | OutputAsset): string[] {
  return part.type === 'chunk' ? part.moduleIds : [];
}

/** The licenses of the libraries that are compiled in, each text once. @throws for a library without one. */
function licensesOf(modules: string[]): string {
  const folders = new Set(
    modules.flatMap((module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module) ?? []),
  );
  const licenses = [...folders].toSorted().map(licenseOf);
  const byText = Map.groupBy(licenses, ({ text }) => text);
  return [...byText]
    .map(([text, libraries]) => `${libraries.map(({ library }) => library).join('\n')}\n\n${text}`)
    .join('\n\n');
}

function licenseOf(folder: string) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync('{LICENSE,LICENCE,license,COPYING}*', { cwd: folder });
  if (license === undefined && file === undefined) throw new Error(`${name} has no license`);
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return { library: `${name} ${version} (${license})`, text };
}
