import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { VerifiedServer } from '../../src/launch/verify-all.ts';
import { resolveTopologies } from '../../src/plan/topology.ts';
import { renderSections } from '../../src/report/terminal/render.ts';
import { verificationSections } from '../../src/report/verification.ts';
import { makeMachine, makeTarget } from '../support/make-record.ts';
import { plain } from './look.ts';

const TARGETS = [
  makeTarget('express-app', { label: 'Express' }),
  makeTarget('nest-fastify', { label: 'Nest + Fastify' }),
];
const TOPOLOGIES = resolveTopologies(['single', 'max', 2], makeMachine({ parallelism: 2 }));

function resultsWith(failing: (name: string, topology: string) => boolean): VerifiedServer[] {
  return TOPOLOGIES.flatMap((topology) =>
    TARGETS.map((target): VerifiedServer => {
      const { processes } = topology;
      if (!failing(target.name, topology.id)) {
        return { target, topology, outcome: { state: 'verified', processes } };
      }
      const message = 'it answered with status 500 instead of 200';
      const logTail = ['Listening on 3004', 'TypeError: x is not a function'];
      return { target, topology, outcome: { state: 'failed', message, logTail } };
    }),
  );
}

function render(results: VerifiedServer[], width: number): string {
  return `${renderSections(verificationSections(results), plain(width))}\n`;
}

describe('the verification report', () => {
  const some = resultsWith((name, topology) => name === 'nest-fastify' && topology === '2');

  test.each([80, 160])('with a failure at %d columns is as shown', async (width) => {
    const report = render(some, width);
    const golden = join(import.meta.dirname, 'golden', `verification-${width}.txt`);
    await expect(report).toMatchFileSnapshot(golden);
  });

  test('says that all is well where it is', () => {
    const report = render(
      resultsWith(() => false),
      80,
    );
    expect(report).toContain('4 of 4 servers answer as declared');
    expect(report).not.toContain('failed');
  });

  test('names each failing server with its reason and last words', () => {
    const report = render(some, 80);
    expect(report).toContain('3 of 4 servers');
    expect(report).toContain(
      'Nest + Fastify, max = 2: it answered with status 500 instead of 200.',
    );
    expect(report).toContain('\n  TypeError: x is not a function\n');
  });

  test('says so when nothing was verified', () => {
    expect(render([], 80)).toBe('Nothing was verified.\n');
  });
});
