import { describe, expect, test } from 'vitest';
import { whereSections } from '../../../src/report/sections/where.ts';
import { renderSections } from '../../../src/report/terminal/render.ts';
import { summarizeWhere } from '../../../src/summary/where.ts';
import { makeWhereRecord } from '../../support/make-where-record.ts';
import { plain } from '../look.ts';

const wheres = summarizeWhere(makeWhereRecord());
const textOf = (details: boolean) => {
  return renderSections(whereSections(wheres, details), plain(160)).replaceAll(/\s+/g, ' ');
};

describe('the sections on where the time goes', () => {
  test('begin with every target, and say why one costs more than another', () => {
    const text = textOf(false);
    expect(text).toMatch(/^Where the microseconds go CPU µs\/request kernel native/);
    expect(text).toMatch(/Express costs 7\.0\d ±0\.\d+ µs more than floor: \+5\.05/);
    expect(text).toMatch(/in express 5\.3\.0 \(mostly lib\/application\.js\), \+2\.02/);
    expect(text).toMatch(
      /never sampled: .*Express 1\.00\d* \[\S+, \S+\]\. Within these errors they agree\./,
    );
    expect(text).not.toContain('are off by');
  });

  test('say by how much parts are off that are not what the server takes unsampled, and what to do', () => {
    const off = summarizeWhere(makeWhereRecord({ unsampledTimes: 1 / 1.2 }));
    const text = renderSections(whereSections(off, false), plain(160)).replaceAll(/\s+/g, ' ');
    expect(text).toContain('The parts of Express are off by +20');
    expect(text).toContain('Run it again with more launches');
    expect(text).not.toContain('The parts of floor are off');
    expect(text).not.toContain('they agree');
  });

  test('say that it is not known where no such server ran', () => {
    const none = wheres.map((each) => ({
      ...each,
      overUnsampled: { kind: 'none' as const },
      agreement: "can't tell" as const,
    }));
    const text = renderSections(whereSections(none, false), plain(160)).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'is not known from this record: that wants servers beside them that are never sampled',
    );
  });

  test('name the costliest function of a part, and leave out what is small', () => {
    const text = textOf(false);
    expect(text).toContain('handle lib/application.js:12');
    expect(text).toContain('Not shown: ');
    expect(text).toContain('2 more, together 0.02 µs');
  });

  test('have everything in detail: small parts, and the functions beneath each', () => {
    const text = textOf(true);
    expect(text).toContain('its own code');
    expect(text).toContain('· send lib/response.js:12 1.01');
    expect(text).not.toContain('Not shown: ');
  });

  test('say so where nothing was sampled', () => {
    const [only] = whereSections([], false);
    expect(renderSections(only ? [only] : [], plain(80))).toContain('Nothing was sampled here.');
  });
});
