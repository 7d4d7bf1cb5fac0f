import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { readWorkload } from '../../src/workload/read.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the declaration in docs/WORKLOADS.md is valid', () => {
  const text = readFileSync(join(ROOT, 'docs/WORKLOADS.md'), 'utf8');
  const [, declared = ''] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
  using folder = temporaryFolder();
  folder.write('boards/workload.json', declared);
  const { workload } = readWorkload(join(folder.path, 'boards'));
  expect(workload).toMatchObject({ title: 'Two message boards', claims: [{ label: 'CPU' }] });
});
