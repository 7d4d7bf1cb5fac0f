import { describe, expect, test } from 'vitest';
import { type Noted, Notes, without } from '../../src/report/notes.ts';
import type { Flag } from '../../src/validity/flags.ts';
import { shown } from './look.ts';

const shared = (workers: number): Flag => ({
  code: 'SHARED_CPU',
  workers,
  by: 'processes',
  cores: 2,
});
const bad: Flag = { code: 'BAD_RESPONSE', wrong: 1, answers: 2 };
const noted = (...flags: Flag[][]): Noted[] => {
  return flags.map((each, index) => ({ label: `row ${index}`, flags: each }));
};
const linesOf = (notes: Notes) => shown({ blocks: notes.blocks(), flags: [] }).split('\n');
const textOf = (...flags: Flag[][]) => linesOf(new Notes(noted(...flags)));

describe('the footnotes of a table', () => {
  test('have a letter for each flag, which the rows point to', () => {
    const rows = noted([bad, shared(2)], [shared(2)], []);
    const notes = new Notes(rows);
    const [column] = notes.column<Noted>('group', ({ flags }) => flags);
    expect(rows.map((row) => column?.cell(row))).toEqual(['a b', 'b', null]);
    expect(linesOf(notes).map((line) => line.slice(0, 14))).toEqual([
      ...['a BAD_RESPONSE', 'b SHARED_CPU r'],
    ]);
    expect(notes.codes).toEqual(['BAD_RESPONSE', 'SHARED_CPU']);
  });

  test('are none where nothing is wrong', () => {
    const notes = new Notes(noted([], []));
    expect(notes.column('group', () => [])).toEqual([]);
    expect(notes.blocks()).toEqual([]);
    expect(notes.codes).toEqual([]);
  });

  test('say what is invalid', () => {
    expect(textOf([bad], [shared(2)])).toEqual([
      'a BAD_RESPONSE (invalid requests/s, latency, CPU and memory) row 0: 1 of 2 answers had another status or body.',
      'b SHARED_CPU row 1: 2 server processes and the generator on 2 cores.',
    ]);
  });

  test('say which figures are, where others are not', () => {
    const little: Flag = { code: 'LITTLE', ratio: 2, low: 0.9, high: 1.1 };
    const impossible: Flag = { code: 'IMPOSSIBLE', usedShare: 1.2, cores: 1 };
    const unsettled: Flag = { code: 'UNSETTLED', settled: 0, launches: 3 };
    const starts = textOf([little, impossible, unsettled]).map((line) => line.split(' row ')[0]);
    expect(starts).toEqual([
      'a LITTLE (invalid latency)',
      'b IMPOSSIBLE (invalid CPU)',
      'c UNSETTLED',
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
    expect(linesOf(notes)).toEqual([
      'a BAD_RESPONSE (invalid requests/s, latency, CPU and memory) <BAD_RESPONSE>.',
      'b SHARED_CPU <SHARED_CPU>.',
    ]);
  });
});

test('what a section says by itself is none of its flags', () => {
  expect(without('BAD_RESPONSE', [bad, shared(2)])).toEqual([shared(2)]);
  expect(without('LATE', [bad])).toEqual([bad]);
});
