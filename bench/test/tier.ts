/** Runs `check`, or the tests of `fast`, `full` or `faults`, part by part, and says what each took, until one fails. */
import { join } from 'node:path';
import { execa } from 'execa';

const ROOT = join(import.meta.dirname, '../..');

type Part = [name: string, program: string, ...args: string[]];

const BUILD: Part = ['build', 'tsc', '--build'];
const TYPES: Part = ['types', 'tsc', '--noEmit', '--project', 'bench'];
/** Types that the package exports may name no type that it does not bring. */
const EXPORTED = ['--project', 'bench/pack', '--noEmit', '--emitDeclarationOnly', 'false'];
const PACKAGE: Part = ['package', 'tsc', ...EXPORTED];
const LINT: Part = ['lint', 'biome', 'ci', '.'];
const LAYERS = ['--config', 'bench/layers.js', '--output-type', 'err-long', 'bench/src'];
const IMPORTS: Part = ['imports', 'depcruise', ...LAYERS];
/** As `jscpd.json` says. */
const COPIES: Part = ['copies', 'jscpd', '--config', 'jscpd.json'];
const SIZE: Part = ['size', process.execPath, 'bench/test/size.ts'];
const REPORTERS = ['--reporter=default', '--reporter=./bench/test/support/slowest-tests.ts'];
/** What is more goes to vitest, after `faults --repeat` to faults-repeat.ts. */
const [tier = '', ...more] = process.argv.slice(2);
const REPEATED: Part = ['rounds', process.execPath, 'bench/test/faults-repeat.ts', ...more];

function testsOf(projects: string[], ...options: string[]): Part {
  const chosen = projects.flatMap((name) => ['--project', name]);
  return ['tests', 'vitest', 'run', ...chosen, ...options, ...more];
}

/** The parts of each tier, in their order. */
const TIERS: Record<string, Part[]> = {
  check: [BUILD, TYPES, PACKAGE, IMPORTS, COPIES, SIZE, LINT],
  fast: [BUILD, TYPES, LINT, testsOf(['pure', 'whole', 'processes'])],
  full: [BUILD, testsOf(['!faults'], ...REPORTERS)],
  faults: [BUILD, more[0]?.startsWith('--repeat') ? REPEATED : testsOf(['faults'])],
};

const parts = TIERS[tier];
if (parts === undefined) throw new Error(`no tier is named "${tier}": check, fast, full or faults`);
/** A reader of outside input gets so many random inputs in the full tier. */
const env = tier === 'full' ? { OVERHEAD_RANDOM_CASES: '10000' } : {};
const took: string[] = [];
const startedMs = performance.now();
for (const [name, program, ...args] of parts) {
  const partMs = performance.now();
  const { exitCode } = await execa(program, args, {
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
