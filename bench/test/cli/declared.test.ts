/** What a target can declare, from the bench block to the tables. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mixOf } from '../../src/load/mix.ts';
import { simulate } from '../support/command.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectAnswers, on, recordIn, rowOf } from './harness.ts';

const SMALL = ['-d', '2', '--slice', '0.5', '--launches', '2', '--warmup', '0.2', '--seed', '1'];

/** A bench block that declares this too. */
function blockOf(parts: object) {
  return {
    ...{ suite: 'frameworks', start: ['sh', 'main.sh'], port: 3999 },
    ...{ request: { method: 'GET', path: '/' }, expect: { status: 200, body: '' } },
    ...parts,
  };
}

describe('several requests', () => {
  test('are sent in their mix, counted each, and in a table of the details', async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, 'record.json');
    const args = ['frameworks', ...on(['several-requests'], 'single'), ...SMALL, '--out', out];
    const { code, stdout } = await simulate([...args, '--details']);
    expect(code).toBe(0);
    for (const request of ['GET /greeting', 'POST /orders', 'GET /picture']) {
      expect(stdout).toMatch(new RegExp(`^Several requests +${request} +[13] +[\\d,]+ `, 'm'));
    }
    const record = recordIn(out);
    expectAnswers(record);
    const weights = record.targets[0]?.requests.map(({ weight }) => weight) ?? [];
    expect(mixOf(weights)).toHaveLength(6);
    const own = record.slices.filter(({ cell }) => cell.startsWith('several-requests/'));
    for (const { measurement } of own) {
      const { requests, window } = measurement;
      expect(requests.map(({ ok }) => ok / window.ok)).toEqual(
        weights.map((weight) => expect.closeTo(weight / 6, 3)),
      );
    }
  });

  test('leave at a rate too', async () => {
    const options = ['--rate', '200', '-d', '2', '--slice', '0.5', '--launches', '2'];
    const { code, record } = await simulateRun([
      ...['frameworks', ...on(['several-requests'], 'single'), ...options, '--warmup', '0'],
    ]);
    expect(code).toBe(0);
    expectAnswers(record);
    for (const { cell, measurement } of record.slices) {
      expect(measurement.requests).toHaveLength(cell.startsWith('several-') ? 4 : 0);
    }
  });
});

test('a variant has a label of its own, and stands over what it is a variant of', async () => {
  const { code, stdout } = await simulateRun([
    ...['frameworks', ...on(['ok', 'variant-of-ok'], 'single'), ...SMALL],
  ]);
  expect(code).toBe(0);
  expect(rowOf(stdout, 'Fine (by a shell)')).toMatch(/ {2}Fine {2}/);
});

describe('what a target needs', () => {
  const needs = blockOf({ label: 'Lacking', needs: ['no-such-program'] });

  test('leaves it out where it is lacking, and the others go on', async () => {
    using folder = temporaryFolder();
    folder.write('lacking/package.json', { bench: needs });
    folder.write('here/package.json', { bench: blockOf({ label: 'Here', needs: ['sh'] }) });
    const verify = ['verify', '--packages', folder.path, '--topology', 'single'];
    const run = await simulate(verify);
    expect(run).toMatchObject({ code: 0, stderr: 'Left out: lacking needs no-such-program\n' });
    expect(rowOf(run.stdout, 'Here')).toContain('ok');
    expect(run.stdout).not.toContain('Lacking');
  });

  test('is an error where it is named', async () => {
    using folder = temporaryFolder();
    folder.write('lacking/package.json', { bench: needs });
    const run = await simulate(['verify', '--packages', folder.path, '--targets', 'lacking']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('not on this machine: lacking needs no-such-program');
  });
});

test.each(['verify', 'frameworks'])(
  'a server that scales by threads is refused by %s',
  async (name) => {
    using folder = temporaryFolder();
    const bench = blockOf({ label: 'Threads', scale: { by: 'threads', env: 'MOST_THREADS' } });
    folder.write('threads/package.json', { bench });
    for (const topology of ['fork', 'pmx:2', 'cluster:2']) {
      const run = await simulate([name, '--packages', folder.path, '--topology', topology]);
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toContain('threads scales by threads, without a process manager');
    }
  },
);
