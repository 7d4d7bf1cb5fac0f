// Builds the server against the very libvips that sharp brings along: npm has its headers too. Its builds are named,
// and come into dist/ of the folder from where it is run.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

/** What each is built by and with; `server` stands for the Go that is here, and nothing else. */
const BUILDS = {
  server: { flags: [], variables: {} },
  // Its go.mod decides what the runtime does without GOMAXPROCS, too.
  'go-1.24': { flags: ['-modfile=../go1.24.mod'], variables: { GOTOOLCHAIN: 'go1.24.11' } },
  automaxprocs: { flags: ['-tags=automaxprocs'], variables: {} },
};

const require = createRequire(import.meta.url);
const { platform, arch } = process;
const library = require.resolve(`@img/sharp-libvips-${platform}-${arch}/binary`);
const headers = dirname(require.resolve('@img/sharp-libvips-dev/include'));
const folder = dirname(library);
const includes = [headers, join(headers, 'glib-2.0'), join(folder, 'glib-2.0', 'include')];
const environment = {
  ...process.env,
  CGO_ENABLED: '1',
  CGO_CFLAGS: includes.map((path) => `"-I${path}"`).join(' '),
  CGO_LDFLAGS: `"-L${folder}" -l:${basename(library)} "-Wl,-rpath,${folder}"`,
};
const named = process.argv.slice(2);
for (const name of named.length === 0 ? ['server'] : named) {
  const { flags, variables } = BUILDS[name];
  const args = ['build', ...flags, '-o', resolve('dist', name), '.'];
  const { status, error } = spawnSync('go', args, {
    ...{ cwd: import.meta.dirname, env: { ...environment, ...variables }, stdio: 'inherit' },
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
