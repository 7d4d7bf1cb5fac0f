import { expect, test } from 'vitest';
import { provideRuntimes } from '../../src/launch/provide.ts';
import { isRegistryWithinReach } from '../support/registry.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const isWithinReach = isRegistryWithinReach();

test('Bun comes from the registry and runs', async ({ skip }) => {
  skip(!isWithinReach, 'the npm registry is not within reach');
  using folder = temporaryFolder();
  const fetching = { cache: folder.path, signal: new AbortController().signal, say: () => {} };
  const [bun] = await provideRuntimes([{ kind: 'bun', version: '1' }], fetching);
  expect(bun?.version).toMatch(/^1\./);
});
