import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../src/base/places.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** What the check of imports says of a workspace of these files: its exit code and its errors. */
async function checkLayers(files: Record<string, string>) {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) folder.write(`bench/src/${name}`, text);
  const options = ['--config', join(ROOT, 'bench/layers.js'), '--output-type', 'err-long'];
  const { exitCode, stdout } = await execa(
    join(ROOT, 'node_modules/.bin/depcruise'),
    [...options, 'bench/src'],
    { cwd: folder.path, reject: false, env: { NO_COLOR: '1' } },
  );
  const errors = stdout.split('\n').filter((line) => line.trim().startsWith('error'));
  return { exitCode, errors: errors.map((line) => line.trim()) };
}

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

const BACKWARDS = 'error against-the-order-of-layers: bench/src';
const CIRCLE = 'error in-a-circle: bench/src';

const TRESPASSES = [
  {
    what: 'an import from a later layer',
    files: { 'plan/late.ts': `import { run } from '../commands/run.ts';\nrun();\n` },
    error: `${BACKWARDS}/plan/late.ts → bench/src/commands/run.ts`,
  },
  {
    what: 'an import of nothing but a type from a later layer',
    files: {
      'base/late.ts': `import type { Plan } from '../plan/plan.ts';\nexport type P = Plan;\n`,
    },
    error: `${BACKWARDS}/base/late.ts → bench/src/plan/plan.ts`,
  },
  {
    what: 'a type of a later layer without an import statement',
    files: { 'base/type.ts': `export type P = import('../plan/plan.ts').Plan;\n` },
    error: `${BACKWARDS}/base/type.ts → bench/src/plan/plan.ts`,
  },
  {
    what: 'what is exported again from a later layer',
    files: { 'base/again.ts': `export type { Plan } from '../plan/plan.ts';\n` },
    error: `${BACKWARDS}/base/again.ts → bench/src/plan/plan.ts`,
  },
  {
    what: 'a later layer loaded only when it is needed',
    files: { 'base/lazy.ts': `export const late = () => import('../commands/run.ts');\n` },
    error: `${BACKWARDS}/base/lazy.ts → bench/src/commands/run.ts`,
  },
  {
    what: 'math in system, which stands on base alone',
    files: {
      'system/mean.ts': `import type { Mean } from '../math/mean.ts';\nexport type M = Mean;\n`,
    },
    error: `${BACKWARDS}/system/mean.ts → bench/src/math/mean.ts`,
  },
  {
    what: 'an import of cli.ts',
    files: { 'commands/again.ts': `import '../cli.ts';\n` },
    error: `${BACKWARDS}/commands/again.ts → bench/src/cli.ts`,
  },
  {
    what: 'a circle',
    files: {
      'plan/a.ts': `import { b } from './b.ts';\nexport const a = (): unknown => b;\n`,
      'plan/b.ts': `import { a } from './a.ts';\nexport const b = (): unknown => a;\n`,
    },
    error: `${CIRCLE}/plan/a.ts →`,
  },
  {
    what: 'a circle of types',
    files: {
      'plan/first.ts': `import type { B } from './second.ts';\nexport interface A { b: B }\n`,
      'plan/second.ts': `import type { A } from './first.ts';\nexport interface B { a: A }\n`,
    },
    error: `${CIRCLE}/plan/first.ts →`,
  },
  {
    what: 'a file beside cli.ts, though nothing imports it',
    files: { 'stray.ts': 'export const stray = 1;\n' },
    error: 'error in-no-layer: bench/src/stray.ts',
  },
  {
    what: 'a folder that is no layer',
    files: { 'utils/text.ts': 'export const text = 1;\n' },
    error: 'error in-no-layer: bench/src/utils/text.ts',
  },
];

describe('what breaks the rule is refused:', () => {
  let found: Awaited<ReturnType<typeof checkLayers>>;
  beforeAll(async () => {
    // All in one tree, what is well too, since the check takes seconds.
    const files = TRESPASSES.map((each) => each.files);
    found = await checkLayers(Object.assign({}, SOUND, ...files));
  });

  test.each(TRESPASSES)('$what', ({ error }) => {
    expect(found.errors).toContainEqual(expect.stringContaining(error));
  });

  test('and nothing else is', () => {
    expect(found.exitCode).toBe(TRESPASSES.length);
    expect(found.errors).toHaveLength(TRESPASSES.length);
  });
});
