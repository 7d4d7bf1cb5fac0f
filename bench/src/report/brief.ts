import type { Code } from '../validity/flags.ts';
import type { Block, Footnote, Section, Table, Text } from './document.ts';
import { FLAG_TEXTS } from './flag-texts.ts';
import { FLAGS_HEAD, letterAt } from './notes.ts';

/**
 * These sections with one short line for each flag, below the first table that shows it. Only a flag that makes figures
 * invalid keeps its evidence. A letter stands for the same flag everywhere.
 */
export function brief(sections: readonly Section[]): Section[] {
  const letters = new Map<Code, string>();
  const letterOf = (code: Code) => {
    const letter = letters.get(code) ?? letterAt(letters.size);
    letters.set(code, letter);
    return letter;
  };
  const told = new Set<Code>();
  const shortened = (note: Footnote): Footnote[] => {
    const { code, invalid } = note;
    const letter = letterOf(code);
    const isTold = told.has(code);
    told.add(code);
    if (invalid !== null) return [{ ...note, letter }];
    return isTold ? [] : [{ ...note, letter, text: FLAG_TEXTS[code].brief }];
  };
  return sections.map((section) => {
    const blocks = section.blocks.flatMap((block, index): Block[] => {
      if (block.kind === 'table') {
        const below = section.blocks.slice(index + 1).find(({ kind }) => kind === 'footnotes');
        const notes = below?.kind === 'footnotes' ? below.notes : [];
        return [
          relettered(block, new Map(notes.map((note) => [note.letter, letterOf(note.code)]))),
        ];
      }
      if (block.kind !== 'footnotes') return [block];
      const notes = block.notes.flatMap(shortened);
      return notes.length === 0 ? [] : [{ ...block, notes }];
    });
    return { ...section, blocks };
  });
}

/** The table with other letters in the column of flags, in alphabetical order. */
function relettered(table: Table, names: ReadonlyMap<string, string>): Table {
  const place = table.columns.findIndex(({ head }) => head === FLAGS_HEAD);
  const rows = table.rows.map((row) => {
    return row.map((cell, column): Text => {
      if (column !== place || typeof cell !== 'string') return cell;
      const letters = cell.split(' ').map((letter) => names.get(letter) ?? letter);
      return letters.toSorted().join(' ');
    });
  });
  return { ...table, rows };
}
