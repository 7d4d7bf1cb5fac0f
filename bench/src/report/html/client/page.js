// Sorts and copies tables. Without it all figures are there, in the order of the report.

/** What a cell is sorted by: its first number, or its text. */
function keyOf(cell) {
  const text = cell.textContent.trim();
  const [, digits] = text.replaceAll(',', '').match(/^[>+]?\s*(-?\d+(?:\.\d+)?)/) ?? [];
  // What is only known to be above a time comes after everything that is known.
  const number = text.startsWith('>') ? Number.POSITIVE_INFINITY : Number(digits);
  return { text, number, hasNumber: digits !== undefined };
}

/** Cells without a number come last. */
function compare(a, b) {
  if (a.hasNumber && b.hasNumber) return a.number === b.number ? 0 : a.number - b.number;
  if (a.hasNumber !== b.hasNumber) return a.hasNumber ? -1 : 1;
  return a.text.localeCompare(b.text, 'en');
}

function sortBy(table, head, place) {
  const isRising = head.getAttribute('aria-sort') !== 'ascending';
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: keyOf(row.cells[place]) }));
  rows.sort((a, b) => {
    const isMissing = a.key.text === '–' || b.key.text === '–';
    return (isRising || isMissing ? 1 : -1) * compare(a.key, b.key);
  });
  table.tBodies[0].append(...rows.map(({ row }) => row));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', isRising ? 'ascending' : 'descending');
}

function markdownOf(table) {
  // Other cells say what a drawing shows.
  const text = (cell) => {
    return cell.querySelector('svg') ? '' : cell.textContent.trim().replaceAll('|', '\\|');
  };
  const [heads, ...rows] = [...table.rows].map((row) => [...row.cells]);
  const dashes = heads.map((head) => (head.classList.contains('right') ? '---:' : '---'));
  const lines = [heads.map(text), dashes, ...rows.map((row) => row.map(text))];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function button(text, onPress) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', () => onPress(made));
  return made;
}

async function copy(table, pressed) {
  try {
    await navigator.clipboard.writeText(markdownOf(table));
    pressed.textContent = 'Copied';
  } catch {
    pressed.textContent = 'The browser did not allow copying';
  }
  setTimeout(() => {
    pressed.textContent = 'Copy as Markdown';
  }, 2000);
}

for (const table of document.querySelectorAll('table')) {
  for (const [place, head] of [...table.tHead.rows[0].cells].entries()) {
    // A drawing has no head, and nothing to sort by.
    if (head.textContent === '') continue;
    head.replaceChildren(button(head.textContent, () => sortBy(table, head, place)));
  }
  const tools = document.createElement('p');
  tools.className = 'tools';
  tools.append(button('Copy as Markdown', (pressed) => copy(table, pressed)));
  tools.setAttribute('aria-live', 'polite');
  table.parentElement.after(tools);
}
