// Builds the server against the very libvips that sharp brings along: npm has its headers too.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

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
const args = ['build', '-o', 'dist/server', '.'];
const { status, error } = spawnSync('go', args, { env: environment, stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;
