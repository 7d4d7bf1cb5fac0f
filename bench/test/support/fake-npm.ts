import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest Node that the project supports, which is not the one that runs the harness. */
export const OLDEST = fileURLToPath(
  new URL('../oldest-node/node_modules/node/bin/node', import.meta.url),
);
export const OLDEST_VERSION = '20.0.0';

/** What a registry holds, or what npm says instead. */
export type Registry =
  | {
      /** Versions by package. */
      versions: Record<string, string[]>;
      /** Files that any package brings, by their path in it, each a shell script or a text. */
      files?: Record<string, string>;
    }
  | { error: { code: string; summary: string } };

/**
 * Puts an npm into this folder that knows only this registry, and returns the environment in which it
 * is found first; `calls` tells what was asked of it.
 */
export function fakeNpm(
  folder: string,
  registry: Registry,
): { PATH: string; calls: () => string[] } {
  const bin = join(folder, 'fake-bin');
  const log = join(folder, 'npm-calls');
  mkdirSync(bin, { recursive: true });
  writeFileSync(log, '');
  writeFileSync(join(bin, 'registry.json'), JSON.stringify(registry));
  // No shebang takes a path with a space.
  const script = join(bin, 'npm.cjs');
  writeFileSync(script, SCRIPT);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    calls: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
  };
}

const SCRIPT = `
const fs = require('node:fs');
const path = require('node:path');
const registry = JSON.parse(fs.readFileSync(path.join(__dirname, 'registry.json'), 'utf8'));
const [command, ...args] = process.argv.slice(2);
fs.appendFileSync(path.join(__dirname, '../npm-calls'), [command, args[0]].join(' ') + '\\n');
const fail = (error) => {
  console.log(JSON.stringify({ error }));
  process.exit(1);
};
if (registry.error) fail(registry.error);
if (command === 'view') {
  const [, name, range] = /^(.+)@(.*)$/.exec(args[0]);
  const all = registry.versions[name] ?? [];
  const fit = all.filter((each) => range === 'latest' || each === range || each.startsWith(range + '.'));
  if (fit.length === 0) fail({ code: 'E404', summary: 'No match found for version ' + range });
  console.log(JSON.stringify(fit.length === 1 ? fit[0] : fit));
} else {
  const folder = args[args.indexOf('--prefix') + 1];
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    const own = path.join(folder, 'node_modules', name);
    fs.mkdirSync(own, { recursive: true });
    fs.writeFileSync(path.join(own, 'package.json'), JSON.stringify({ name, version, main: 'index.js' }));
    for (const [file, text] of Object.entries(registry.files ?? {})) {
      fs.mkdirSync(path.dirname(path.join(own, file)), { recursive: true });
      fs.writeFileSync(path.join(own, file), text.replaceAll('VERSION', version), { mode: 0o755 });
    }
  }
  console.log('{}');
}
`;
