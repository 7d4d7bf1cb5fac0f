/**
 * Runs the checks or a tier of the tests, part by part, and says what each part took: `node bench/test/tier.ts
 * check | fast | full | faults`. Further arguments go to vitest, after `faults --repeat` to faults-repeat.ts. Ends with
 * the first part that fails.
 */
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
const VITEST = ['vitest', 'run'] as const;
const REPORTERS = ['--reporter=default', '--reporter=./bench/test/support/slowest-tests.ts'];

/** The parts of each tier, in their order. */
function partsOf(tier: string, more: string[]): Part[] {
  switch (tier) {
    case 'check':
      return [BUILD, TYPES, IMPORTS, COPIES, LINT];
    case 'fast': {
      const projects = ['pure', 'whole', 'processes'].flatMap((name) => ['--project', name]);
      return [
        ...[BUILD, TYPES, LINT],
        { name: 'tests', command: [...VITEST, ...projects, ...more] },
      ];
    }
    case 'full': {
      const env = { OVERHEAD_RANDOM_CASES: RANDOM_CASES };
      const projects = ['--project', '!faults'];
      return [
        BUILD,
        { name: 'tests', command: [...VITEST, ...projects, ...REPORTERS, ...more], env },
      ];
    }
    case 'faults': {
      if (more[0]?.startsWith('--repeat')) {
        const file = 'bench/test/faults-repeat.ts';
        return [BUILD, { name: 'rounds', command: [process.execPath, file, ...more] }];
      }
      return [BUILD, { name: 'tests', command: [...VITEST, '--project', 'faults', ...more] }];
    }
    default:
      throw new Error(`no tier is named "${tier}": check, fast, full or faults`);
  }
}

const [tier = '', ...more] = process.argv.slice(2);
const took: string[] = [];
const startedMs = performance.now();
for (const { name, command, env = {} } of partsOf(tier, more)) {
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
