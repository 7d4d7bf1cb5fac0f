import { describe, expect, test } from 'vitest';
import { whereSections } from '../../../src/report/sections/where.ts';
import { renderSections } from '../../../src/report/terminal/render.ts';
import { summarizeWhere } from '../../../src/summary/where.ts';
import { makeWhereRecord } from '../../support/make-where-record.ts';
import { plain } from '../look.ts';

const wheres = summarizeWhere(makeWhereRecord());
const textOf = (details = false, of = wheres) => {
  return renderSections(whereSections(of, details), plain(160)).replaceAll(/\s+/g, ' ');
};

describe('the sections on where the time goes', () => {
  test('say that it is not known where no such server ran', () => {
    const none = { overUnsampled: { kind: 'none' }, agreement: "can't tell" } as const;
    const unchecked = wheres.map((each) => ({ ...each, ...none }));
    expect(textOf(false, unchecked)).toContain(
      'This record does not show whether the parts add up',
    );
  });

  test('have everything in detail: small parts, and the functions beneath each', () => {
    const text = textOf(true);
    expect(text).toContain('its own code');
    expect(text).toContain('· send lib/response.js:12 1.01');
    expect(text).not.toContain('Not shown: ');
  });

  test('say so where nothing was sampled', () => {
    expect(textOf(false, [])).toContain('Nothing was sampled here.');
  });
});
