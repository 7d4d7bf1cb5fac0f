import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { ROOT } from '../src/base/places.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** A tree in which all is well, imports along the order of layers from however far before. */
const SOUND = {
  'cli.ts': `import { run } from './commands/run.ts';\nrun();\n`,
  'base/errors.ts': 'export interface Wrong {}\n',
  'math/mean.ts': `import type { Wrong } from '../base/errors.ts';\nexport type Mean = Wrong;\n`,
  'system/cores.ts': `import type { Wrong } from '../base/errors.ts';\nexport type Cores = Wrong;\n`,
  'plan/plan.ts': `import type { Cores } from '../system/cores.ts';\nexport type Plan = Cores;\n`,
  'plan/order.ts': `import type { Plan } from './plan.ts';\nexport type Order = Plan[];\n`,
  'commands/run.ts': `import type { Order } from '../plan/order.ts';\nexport const run = (order?: Order) => order;\n`,
};

/** Imports from later layers: of a value, of a type alone, and without an import statement. */
const BACKWARDS = {
  'base/again.ts': `export type { Plan } from '../plan/plan.ts';\n`,
  'base/late.ts': `import type { Plan } from '../plan/plan.ts';\nexport type P = Plan;\n`,
  'base/lazy.ts': `export const late = () => import('../commands/run.ts');\n`,
  'base/type.ts': `export type P = import('../plan/plan.ts').Plan;\n`,
  'commands/again.ts': `import '../cli.ts';\n`,
  'plan/late.ts': `import { run } from '../commands/run.ts';\nrun();\n`,
  // Which stands on base alone.
  'system/mean.ts': `import type { Mean } from '../math/mean.ts';\nexport type M = Mean;\n`,
};

const CIRCLES = {
  'plan/a.ts': `import { b } from './b.ts';\nexport const a = (): unknown => b;\n`,
  'plan/b.ts': `import { a } from './a.ts';\nexport const b = (): unknown => a;\n`,
  'plan/first.ts': `import type { B } from './second.ts';\nexport interface A { b: B }\n`,
  'plan/second.ts': `import type { A } from './first.ts';\nexport interface B { a: A }\n`,
};

/** A file beside cli.ts, though nothing imports it, and one in a folder that is no layer. */
const IN_NO_LAYER = {
  'stray.ts': 'export const stray = 1;\n',
  'utils/text.ts': 'export const text = 1;\n',
};

test('what breaks the order of layers is refused, and nothing else', async () => {
  // All in one tree, what is well too, since the check takes seconds.
  using folder = temporaryFolder();
  const files = { ...SOUND, ...BACKWARDS, ...CIRCLES, ...IN_NO_LAYER };
  for (const [name, text] of Object.entries(files)) folder.write(`bench/src/${name}`, text);
  const args = [
    '--config',
    join(ROOT, 'bench/layers.js'),
    '--output-type',
    'err-long',
    'bench/src',
  ];
  const options = { cwd: folder.path, reject: false, env: { NO_COLOR: '1' } };
  const { exitCode, stdout } = await execa(
    join(ROOT, 'node_modules/.bin/depcruise'),
    args,
    options,
  );
  const lines = stdout.split('\n').map((line) => line.trim().replaceAll('bench/src/', ''));
  const errors = lines.filter((line) => line.startsWith('error')).sort();
  expect(errors).toEqual([
    'error against-the-order-of-layers: base/again.ts → plan/plan.ts',
    'error against-the-order-of-layers: base/late.ts → plan/plan.ts',
    'error against-the-order-of-layers: base/lazy.ts → commands/run.ts',
    'error against-the-order-of-layers: base/type.ts → plan/plan.ts',
    'error against-the-order-of-layers: commands/again.ts → cli.ts',
    'error against-the-order-of-layers: plan/late.ts → commands/run.ts',
    'error against-the-order-of-layers: system/mean.ts → math/mean.ts',
    'error in-a-circle: plan/a.ts →',
    'error in-a-circle: plan/first.ts →',
    'error in-no-layer: stray.ts',
    'error in-no-layer: utils/text.ts',
  ]);
  expect(exitCode).toBe(errors.length);
});
