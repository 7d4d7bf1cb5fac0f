import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { methodsDocument } from '../../src/report/methods-report.ts';
import { renderDocument } from '../../src/report/terminal/render.ts';
import { compareMethods } from '../../src/studies/methods/findings.ts';
import type { MethodsRecord } from '../../src/studies/methods/record.ts';
import type { Method } from '../../src/studies/methods/run-options.ts';
import { makeMethodsRecord } from '../studies/methods/make-methods-record.ts';
import { plain } from './look.ts';

/** How far the repeats stray, in turn, as shares of the farthest. */
const STRAYS = [0.8, -1, 0.1, 0.5, -0.6, 1];
/** The farthest, as logarithms of ratios of requests/s. */
const FARTHEST = {
  classic: { expressToFastify: 0.05, fastifyTwins: 0.08, expressTwins: 0.03 },
  sliced: { expressToFastify: 0.005, fastifyTwins: 0.01, expressTwins: 0.003 },
};

/** CPU per request strays so many times as far as requests/s. */
const CPU_STRAYS = 0.4;

/** As it might well be: the classic way strays about ten times as far. */
function measurement(method: Method, repeat: number) {
  const far = FARTHEST[method];
  const stray = (turn: number, farthest: number) => {
    return Math.exp((STRAYS[(repeat + turn) % STRAYS.length] ?? 0) * farthest);
  };
  const throughput = {
    expressToFastify: 0.6 * stray(0, far.expressToFastify),
    fastifyTwins: stray(1, far.fastifyTwins),
    expressTwins: stray(2, far.expressTwins),
  };
  const cpu = {
    expressToFastify: 1.7 * stray(0, -CPU_STRAYS * far.expressToFastify),
    fastifyTwins: stray(1, -CPU_STRAYS * far.fastifyTwins),
    expressTwins: stray(2, -CPU_STRAYS * far.expressTwins),
  };
  return { wallS: method === 'classic' ? 74 : 76, ratios: { cpu, throughput } };
}

function reportOf(record: MethodsRecord, width = 80): string {
  return renderDocument(methodsDocument(record, compareMethods(record)), plain(width));
}

const full = makeMethodsRecord(6, measurement);

describe('the report of two methods', () => {
  test.each([80, 160])('at %d columns is as shown', async (width) => {
    const report = reportOf(full, width);
    const golden = join(import.meta.dirname, 'golden', `methods-${width}.txt`);
    await expect(report).toMatchFileSnapshot(golden);
    expect(Math.max(...report.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(width);
  });

  test('has a dot for every repeat', () => {
    const marks = reportOf(full)
      .split('\n')
      .filter((line) => line.includes('•'));
    expect(marks).toHaveLength(12);
    for (const line of marks) {
      const counts = [...line.replace(/^.*(classic|sliced)/, '').matchAll(/[•\d]/g)].map(
        ([mark]) => {
          return mark === '•' ? 1 : Number(mark);
        },
      );
      expect(counts.reduce((sum, each) => sum + each)).toBe(6);
    }
  });

  test('of one repeat has ratios, but nothing about how far apart they are', () => {
    const report = reportOf(makeMethodsRecord(1, measurement));
    expect(report).toMatch(/Express : Fastify +classic +1 +0\.\d{3} +0\.\d{3} +–/);
    expect(report).not.toMatch(/usual way|NaN|Infinity|null/);
  });

  test('in which nobody looked at CPU per request is about requests/s', () => {
    const old = makeMethodsRecord(6, (method, repeat) => {
      const { wallS, ratios } = measurement(method, repeat);
      return { wallS, ratios: { ...ratios, cpu: null } };
    });
    expect(reportOf(old)).toContain('Ratios of requests/s');
    expect(reportOf(old)).toContain('On average a classic measurement took');
    expect(reportOf(old)).not.toContain('CPU per request');
  });

  test('of a run that was ended early says so', () => {
    const early = makeMethodsRecord(6, (method, repeat) => {
      return repeat < 2 ? measurement(method, repeat) : null;
    });
    expect(reportOf(early)).toContain('not complete');
    expect(reportOf(full)).not.toContain('not complete');
    const empty = reportOf(makeMethodsRecord(6, () => null));
    expect(empty).toContain('Nothing was measured.');
    expect(empty).not.toMatch(/NaN|Infinity/);
  });
});
