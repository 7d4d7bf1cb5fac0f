// What a page does beyond what it says: without it all figures are there, in the order of the report.

/** A cell as something that can be put in order: its first number, or its text. */
function orderOf(cell) {
  const text = cell.textContent.trim();
  const found = text.replaceAll(',', '').match(/^[>+]?\s*(-?\d+(?:\.\d+)?)/);
  if (!found) return { text };
  // What is only known to be above a time comes after all that is known.
  return { text, number: text.startsWith('>') ? Number.POSITIVE_INFINITY : Number(found[1]) };
}

function compare(a, b) {
  if (a.number !== undefined && b.number !== undefined) {
    return a.number === b.number ? 0 : a.number - b.number;
  }
  // Where there is no figure comes last.
  if (a.number !== undefined || b.number !== undefined) return a.number !== undefined ? -1 : 1;
  return a.text.localeCompare(b.text, 'en');
}

function sortBy(table, head, place) {
  const rising = head.getAttribute('aria-sort') !== 'ascending';
  const [body] = table.tBodies;
  const rows = [...body.rows].map((row) => ({ row, order: orderOf(row.cells[place]) }));
  rows.sort((a, b) => {
    const isMissing = a.order.text === '–' || b.order.text === '–';
    return (rising || isMissing ? 1 : -1) * compare(a.order, b.order);
  });
  body.append(...rows.map(({ row }) => row));
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', rising ? 'ascending' : 'descending');
}

function markdownOf(table) {
  // What a drawing shows stands in other cells.
  const text = (cell) => {
    return cell.querySelector('svg') ? '' : cell.textContent.trim().replaceAll('|', '\\|');
  };
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const heads = [...table.tHead.rows[0].cells];
  const dashes = heads.map((head) => (head.classList.contains('right') ? '---:' : '---'));
  const rows = [...table.tBodies[0].rows].map((row) => line([...row.cells].map(text)));
  return `${[line(heads.map(text)), line(dashes), ...rows].join('\n')}\n`;
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
    pressed.textContent = 'The browser did not let it be copied';
  }
  setTimeout(() => {
    pressed.textContent = 'Copy as Markdown';
  }, 2000);
}

for (const table of document.querySelectorAll('table')) {
  for (const [place, head] of [...table.tHead.rows[0].cells].entries()) {
    // A drawing has no head, and nothing to sort by.
    if (head.textContent === '') continue;
    const sort = button(head.textContent, () => sortBy(table, head, place));
    head.replaceChildren(sort);
  }
  const tools = document.createElement('p');
  tools.className = 'tools';
  tools.append(button('Copy as Markdown', (pressed) => copy(table, pressed)));
  tools.setAttribute('aria-live', 'polite');
  table.parentElement.after(tools);
}
