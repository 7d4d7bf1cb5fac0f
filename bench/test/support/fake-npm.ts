import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest Node that servers may run on, older than the one that runs the harness. */
export const OLDEST = fileURLToPath(
  new URL('../oldest-node/node_modules/node/bin/node', import.meta.url),
);
export const OLDEST_VERSION = '20.0.0';

/** What a registry has, or the error that npm prints. */
export type Registry =
  | {
      /** Versions by package. */
      versions: Record<string, string[]>;
      /** The files of every package, by path: shell scripts or texts. */
      files?: Record<string, string>;
    }
  | { error: { code: string; summary: string } };

/** Writes an npm to this folder that knows only this registry. `PATH` has it first; `calls` returns its commands. */
export function fakeNpm(folder: string, registry: Registry) {
  const bin = join(folder, 'fake-bin');
  const log = join(folder, 'npm-calls');
  mkdirSync(bin, { recursive: true });
  writeFileSync(log, '');
  writeFileSync(join(bin, 'registry.json'), JSON.stringify(registry));
  // A shebang can't have a path with a space.
  const script = join(bin, 'npm.cjs');
  writeFileSync(script, SCRIPT);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    calls: (): string[] => readFileSync(log, 'utf8').split('\n').filter(Boolean),
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
