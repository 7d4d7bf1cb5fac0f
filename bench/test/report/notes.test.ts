import { describe, expect, test } from 'vitest';
import { flagsBeside, legend, type Noted, Notes } from '../../src/report/notes.ts';
import { summarize } from '../../src/summary/summary.ts';
import type { Flag } from '../../src/validity/flags.ts';
import { makeClusterRecord } from '../support/make-cluster-record.ts';
import { plain } from './look.ts';

const shared = (processes: number): Flag => ({ code: 'SHARED_CPU', processes, cores: 2 });
const bad: Flag = { code: 'BAD_RESPONSE', wrong: 1, answers: 2 };
const noted = (...flags: Flag[][]): Noted[] => {
  return flags.map((each, index) => ({ label: `row ${index}`, flags: each }));
};
const textOf = (...flags: Flag[][]) => new Notes(noted(...flags)).text(plain(1000)).split('\n');

describe('the footnotes of a table', () => {
  test('have a letter for each flag, which the rows point to', () => {
    const rows = noted([bad, shared(2)], [shared(2)], []);
    const notes = new Notes(rows);
    const [column] = notes.column<Noted>('group', ({ flags }) => flags);
    expect(rows.map((row) => column?.cell(row))).toEqual(['a b', 'b', '–']);
    expect(
      notes
        .text(plain(1000))
        .split('\n')
        .map((line) => line.slice(0, 14)),
    ).toEqual([...['a BAD_RESPONSE', 'b SHARED_CPU r']]);
  });

  test('are none where nothing is wrong', () => {
    const notes = new Notes(noted([], []));
    expect(notes.column('group', () => [])).toEqual([]);
    expect(notes.text(plain(80))).toBe('');
  });

  test('say what is invalid', () => {
    expect(textOf([bad], [shared(2)])).toEqual([
      'a BAD_RESPONSE (invalid) row 0: 1 of 2 answers had another status or body.',
      'b SHARED_CPU row 1: 2 server processes and the generator on 2 cores.',
    ]);
  });

  test('tell rows together that have the same evidence', () => {
    expect(textOf([shared(2)], [shared(4)], [shared(2)], [])).toEqual([
      'a SHARED_CPU row 0, row 2: 2 server processes and the generator on 2 cores; row 1: 4 server processes and the generator on 2 cores.',
    ]);
    expect(textOf([shared(2)], [shared(2)])[0]).toMatch(/^a SHARED_CPU all: 2 server/);
    expect(textOf([shared(2)])[0]).toMatch(/^a SHARED_CPU row 0: 2 server/);
  });

  test('give one example where many rows have evidence of their own', () => {
    const many = [1, 2, 3, 4].map((processes) => [shared(processes)]);
    const example = 'for example row 0: 1 server process and the generator on 2 cores.';
    expect(textOf(...many)).toEqual([`a SHARED_CPU all; ${example}`]);
    expect(textOf(...many, [])).toEqual([`a SHARED_CPU row 0, row 1, row 2, row 3; ${example}`]);
    expect(textOf(...many.slice(1))[0]).not.toContain('example');
  });

  test('may be told by the table', () => {
    const notes = new Notes(noted([bad], [shared(2)]), (code) => `<${code}>`);
    expect(notes.text(plain(80)).split('\n')).toEqual([
      ...['a BAD_RESPONSE (invalid) <BAD_RESPONSE>.', 'b SHARED_CPU <SHARED_CPU>.'],
    ]);
  });
});

test('what a table says by itself is no flag beside it', () => {
  const story = () => ({ ok: 10, timedOut: 5, wrongBody: 1, latenciesMs: [100] });
  const { conditions } = summarize(makeClusterRecord(story, { options: { launches: 2 } }), null);
  const codes = (id: string) => {
    const cells = conditions.flatMap(({ load, cells }) => (load.id === id ? cells : []));
    return new Set(cells.flatMap(flagsBeside).map(({ code }) => code));
  };
  expect(codes('feasible')).toContain('CENSORED');
  expect(codes('overload')).not.toContain('CENSORED');
  expect(codes('feasible')).toContain('INCONCLUSIVE');
  expect(codes('alone')).not.toContain('INCONCLUSIVE');
  for (const id of ['feasible', 'overload', 'alone']) expect(codes(id)).toContain('BAD_RESPONSE');
});

test('the legend explains each flag once, in the order of the alphabet, and is empty without any', () => {
  const text = legend(new Set(['SHARED_CPU', 'BAD_RESPONSE']), plain(1000));
  expect(text).toMatch(/^What the flags mean\nBAD_RESPONSE: .+\nSHARED_CPU: .+$/);
  expect(legend(new Set(), plain(80))).toBe('');
});
