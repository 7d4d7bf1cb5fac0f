/** Every documented command that measures, verifies, reports or compares runs on a simulated machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { FAILED } from '../../src/base/errors.ts';
import { readAny } from '../../src/commands/report.ts';
import { runnable } from '../../src/targets/needs.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { expectAnswers } from '../cli/harness.ts';
import { command, simulate, wordsOf } from '../support/command.ts';
import { onPathOfEach } from '../support/fake-programs.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { linesOf, MEASURING, ROOT, STAND_INS, withOptions } from './documents.ts';

/** Targets that need any other program are left out. */
const PROGRAMS = 'node npm go gcc redis-server mariadbd mariadb-install-db k6'.split(' ');

/** By the beginning of a line, options that shorten its simulation from several seconds to one. */
const FEWER: Record<string, string> = {
  'ab workloads/routes': '-c 10',
  bidder: '--launches 2 -d 10',
  board: '--launches 2 -c 10 -d 4',
  cluster: '--launches 2',
  'frameworks --rate': '--launches 2 -d 4',
  'frameworks --runtime': '--launches 2 -d 4',
  image: '--launches 2',
  ladder: '--launches 2',
  price: '--quick',
  'run --cpu-limit 0.25,0.5,1,1.5 --topology single,2,4 packages': '--launches 2 -d 2.4',
  'run workloads/routes': '--launches 2',
  where: '--launches 2',
  'workload ./workloads/ladder': '--launches 2',
};

/** The beginning of a report, by its format. */
const BEGINNINGS: Record<string, RegExp> = {
  terminal: /^overhead \S+\nMeasured on /,
  markdown: /^# overhead \S+\n/,
  html: /^<!doctype html>/i,
  csv: /^suite,/,
};

const folder = folderOfEach();
onPathOfEach(...PROGRAMS);
beforeEach(() => void vi.stubEnv('INIT_CWD', ROOT));

/** A simulated run takes much longer on a busy machine. */
const BUSY_MS = 60_000;

test.each(MEASURING)('$line', { timeout: BUSY_MS }, async ({ line, args }) => {
  const out = join(folder.path, 'record.json');
  const [, fewer = ''] = Object.entries(FEWER).find(([begin]) => line.startsWith(begin)) ?? [];
  const asked = withOptions(args, ...wordsOf(fewer), '--out', out);
  const { code, stdout, stderr } = await simulate(asked);
  // No server costs more than another here, so what `truth` knows is not found.
  expect(code, `${stdout}${stderr}`).toBe(args[0] === 'truth' ? FAILED : 0);
  const record = readAny(out);
  if (record.schema !== 'overhead.methods') expect(record.state).toBe('complete');
  if (record.schema === 'overhead.run') expectAnswers(record);
  expect(await command(['report', out])).toEqual({ code, stdout, stderr: '' });
});

test.each(linesOf('verify'))('$line', async ({ args }) => {
  const packages = args.includes('--packages') ? args[args.indexOf('--packages') + 1] : 'packages';
  const { targets } = runnable(readTargets(join(ROOT, packages ?? '')));
  const isOne = args.includes('express-app');
  const topologies = args.includes('--topology') ? 1 : 3;
  const counts = targets.map(({ start, scale }) => {
    return scale.by === 'processes' && start[0] !== 'node' ? 1 : topologies;
  });
  const count = isOne ? topologies : counts.reduce((sum, each) => sum + each, 0);
  const { code, stdout } = await simulate(args);
  expect(code).toBe(0);
  expect(stdout).toContain(`${count} of ${count} servers answer as declared`);
});

// Reports of the saved runs that documents show have a test of their own.
const ofReaders = linesOf('report').filter(({ line }) => line.includes(STAND_INS.FILE));

test.each(ofReaders)('$line', async ({ args }) => {
  const place = args.indexOf('-o') + 1;
  const out = place > 0 ? join(folder.path, args[place] ?? '') : null;
  const { code, stdout, stderr } = await command(out === null ? args : args.with(place, out));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const text = out === null ? stdout : readFileSync(out, 'utf8');
  const [, format = 'terminal'] = /--format (\w+)/.exec(args.join(' ')) ?? [];
  expect(text).toMatch(BEGINNINGS[format] ?? /nothing/);
});

test.each(linesOf('compare'))('$line', async ({ args }) => {
  const { code, stdout } = await command(args);
  expect(code).toBe(0);
  expect(stdout).toContain('shows the drift');
});
