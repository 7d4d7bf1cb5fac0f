import type { Code } from '../validity/flags.ts';
import type { Block, Footnote, Footnotes, Section, Table, Text } from './document.ts';
import { FLAG_TEXTS } from './flag-texts.ts';
import { FLAGS_HEAD } from './notes.ts';

/**
 * These sections with one short line for each flag, below the first table that shows it: what was seen is
 * left to a report with details, but for what makes figures wrong. A letter stands for the same flag
 * everywhere.
 */
export function brief(sections: readonly Section[]): Section[] {
  const letters = new Map<Code, string>();
  const met = new Set<Code>();
  const letterOf = (code: Code) => {
    const letter = letters.get(code) ?? String.fromCharCode(97 + letters.size);
    letters.set(code, letter);
    return letter;
  };
  const shorten = (notes: readonly Footnote[]) => {
    return notes.flatMap((note): Footnote[] => {
      const isNew = !met.has(note.code);
      met.add(note.code);
      const letter = letterOf(note.code);
      if (note.invalid !== null) return [{ ...note, letter }];
      const text = FLAG_TEXTS[note.code].brief;
      return isNew ? [{ ...note, letter, tells: 'advice', text }] : [];
    });
  };
  return sections.map((section) => ({
    ...section,
    blocks: section.blocks.flatMap((block, index): Block[] => {
      if (block.kind === 'table') {
        const own = footnotesBelow(section.blocks.slice(index + 1));
        const names = new Map(own.map(({ letter, code }) => [letter, letterOf(code)]));
        return [relettered(block, names)];
      }
      if (block.kind !== 'footnotes') return [block];
      const notes = shorten(block.notes);
      return notes.length === 0 ? [] : [{ ...block, notes }];
    }),
  }));
}

function footnotesBelow(blocks: readonly Block[]): Footnotes['notes'] {
  return blocks.find((block) => block.kind === 'footnotes')?.notes ?? [];
}

/** The table with other letters in the column of flags, in the order of the alphabet. */
function relettered(table: Table, names: ReadonlyMap<string, string>): Table {
  const place = table.columns.findIndex(({ head }) => head === FLAGS_HEAD);
  if (place === -1) return table;
  const renamed = (cell: Text): Text => {
    if (typeof cell !== 'string') return cell;
    const letters = cell.split(' ').map((letter) => names.get(letter) ?? letter);
    return letters.toSorted().join(' ');
  };
  const rows = table.rows.map((row) => row.with(place, renamed(row[place] ?? '')));
  return { ...table, rows };
}
