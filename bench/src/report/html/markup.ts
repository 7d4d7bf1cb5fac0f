/** Text that is markup already: all else is escaped where it is put into markup. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template. */
export type Content = string | number | Markup | readonly Markup[];

/** Markup from a template, in which every text and number is escaped. */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  const text = parts.reduce((before, part, index) => {
    const content = contents[index - 1];
    return before + (content === undefined ? '' : textOf(content)) + part;
  });
  return new Markup(text);
}

/** Markup, or none of it. */
export function when(condition: boolean, make: () => Markup): Markup {
  return condition ? make() : new Markup('');
}

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(({ text }) => text).join('');
  return escaped(String(content));
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
