import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overSsh } from '../../src/system/ssh.ts';

test('ssh asks for nothing, ends silent connections, and forwards a port', () => {
  const [file, args] = overSsh('user@box', ['true'], { there: 20_001, here: 4000 });
  expect(file).toBe('ssh');
  const options = args.filter((_, place) => args[place - 1] === '-o');
  expect(options).toEqual(expect.arrayContaining(['BatchMode=yes', 'ServerAliveInterval=2']));
  expect(args[args.indexOf('-R') + 1]).toBe('127.0.0.1:20001:127.0.0.1:4000');
  // The name of a machine is never an option.
  expect(args.slice(-3)).toEqual(['--', 'user@box', "'true'"]);
});

test('arguments pass a shell unchanged', () => {
  const word = fc.string({ unit: fc.constantFrom(...'aé\'"$`\\ \n*;&|') });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const [, args] = overSsh('box', ['printf', '%s\\0', ...words]);
      const { stdout } = spawnSync('sh', ['-c', args.at(-1) ?? ''], { encoding: 'utf8' });
      expect(stdout.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 50, seed: 1 },
  );
});
