/** Text that is markup already; all other text is escaped where it is put into markup. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template; false and null are nothing. */
export type Content = string | number | false | null | Markup | readonly Content[];

/** Markup from a template, in which every text and number is escaped. */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...contents.map(textOf)));
}

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (content === null || content === false) return '';
  if (typeof content === 'object') return content.map(textOf).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
