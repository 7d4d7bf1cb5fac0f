/** An npm that knows only the registry in a folder, and logs its commands there: FOLDER COMMAND ARGUMENTS. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [, , folder, command, ...args] = process.argv;
const registry = JSON.parse(readFileSync(join(folder, 'registry.json'), 'utf8'));
appendFileSync(join(folder, 'calls'), `${command} ${args[0]}\n`);

function fail(error) {
  console.log(JSON.stringify({ error }));
  process.exit(1);
}

function view(asked) {
  const [, name, range] = /^(.+)@(.*)$/.exec(asked);
  const fit = (registry.versions[name] ?? []).filter((each) => {
    return range === 'latest' || each === range || each.startsWith(`${range}.`);
  });
  if (fit.length === 0) fail({ code: 'E404', summary: `No match found for version ${range}` });
  console.log(JSON.stringify(fit.length === 1 ? fit[0] : fit));
}

function install(project) {
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    const own = join(project, 'node_modules', name);
    const files = { 'package.json': JSON.stringify({ name, version, main: 'index.js' }) };
    for (const [file, text] of Object.entries({ ...files, ...registry.files })) {
      mkdirSync(dirname(join(own, file)), { recursive: true });
      writeFileSync(join(own, file), text.replaceAll('VERSION', version), { mode: 0o755 });
    }
  }
  console.log('{}');
}

if (registry.error) fail(registry.error);
if (command === 'view') view(args[0]);
else install(args[args.indexOf('--prefix') + 1]);
