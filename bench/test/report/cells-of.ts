/** The lines of a section's first table below its rule, down to the first that is no row. */
export function rowsOf(section: string): string[] {
  const lines = section.split('\n');
  const rule = lines.findIndex((line) => /^─+$/.test(line));
  if (rule === -1) return [];
  const below = lines.slice(rule + 1);
  const end = below.findIndex((line) => !/ {2}/.test(line));
  return end === -1 ? below : below.slice(0, end);
}

/** The texts of a row's cells, of which none may hold two spaces. */
export function cellsOf(row: string | undefined): string[] {
  return (row ?? '').trim().split(/ {2,}/);
}
