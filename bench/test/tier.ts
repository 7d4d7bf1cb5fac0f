/** Runs `check`, or the tests of `fast`, `full` or `faults`, part by part, and says what each took, until one fails. */
import { join } from 'node:path';
import { execa } from 'execa';

const ROOT = join(import.meta.dirname, '../..');
/** A reader of outside input gets so many random inputs in the full tier. */
const RANDOM_CASES = '10000';

interface Part {
  name: string;
  command: [string, ...string[]];
  env?: Record<string, string>;
}

const BUILD: Part = { name: 'build', command: ['tsc', '--build'] };
const TYPES: Part = { name: 'types', command: ['tsc', '--noEmit', '--project', 'bench'] };
const LINT: Part = { name: 'lint', command: ['biome', 'ci', '.'] };
const IMPORTS: Part = {
  name: 'imports',
  command: ['depcruise', '--config', 'bench/layers.js', '--output-type', 'err-long', 'bench/src'],
};
/** As `jscpd.json` says. */
const COPIES: Part = { name: 'copies', command: ['jscpd', '--config', 'jscpd.json'] };
const REPORTERS = ['--reporter=default', '--reporter=./bench/test/support/slowest-tests.ts'];
/** What is more goes to vitest, after `faults --repeat` to faults-repeat.ts. */
const [tier = '', ...more] = process.argv.slice(2);

const REPEATED: Part = {
  name: 'rounds',
  command: [process.execPath, 'bench/test/faults-repeat.ts', ...more],
};

function testsOf(projects: string[], options: string[] = [], env: Part['env'] = {}): Part {
  const chosen = projects.flatMap((name) => ['--project', name]);
  return { name: 'tests', command: ['vitest', 'run', ...chosen, ...options, ...more], env };
}

/** The parts of each tier, in their order. */
const TIERS: Record<string, Part[]> = {
  check: [BUILD, TYPES, IMPORTS, COPIES, LINT],
  fast: [BUILD, TYPES, LINT, testsOf(['pure', 'whole', 'processes'])],
  full: [BUILD, testsOf(['!faults'], REPORTERS, { OVERHEAD_RANDOM_CASES: RANDOM_CASES })],
  faults: [BUILD, more[0]?.startsWith('--repeat') ? REPEATED : testsOf(['faults'])],
};

const parts = TIERS[tier];
if (parts === undefined) throw new Error(`no tier is named "${tier}": check, fast, full or faults`);
const took: string[] = [];
const startedMs = performance.now();
for (const { name, command, env = {} } of parts) {
  const partMs = performance.now();
  const [file, ...args] = command;
  const { exitCode } = await execa(file, args, {
    ...{ cwd: ROOT, env, stdio: 'inherit', reject: false },
    ...{ preferLocal: true, localDir: ROOT },
  });
  took.push(`${name} ${secondsSince(partMs)}`);
  if (exitCode !== 0) {
    process.exitCode = exitCode ?? 1;
    took.push('failed');
    break;
  }
}
console.log(`${tier}: ${took.join(', ')}; ${secondsSince(startedMs)} in all`);

function secondsSince(ms: number): string {
  return `${Math.round((performance.now() - ms) / 1000)} s`;
}
