/** What replaces a character where only ASCII can be shown. */
const SIGNS: Readonly<Record<string, string>> = {
  '±': '+-',
  µ: 'u',
  '×': 'x',
  '÷': '/',
  '≤': '<=',
  '≥': '>=',
  '–': '-',
  '−': '-',
  '─': '-',
  '“': '"',
  '”': '"',
  '’': "'",
  '•': '*',
  '▸': '>',
  '█': '#',
  '▒': ':',
  '░': '.',
};

/** A text in ASCII: letters without accents, and `?` for what has no replacement. */
export function ascii(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/gu, (sign) => {
    return SIGNS[sign] ?? (sign.normalize('NFKD').replaceAll(/[^\0-\x7F]/gu, '') || '?');
  });
}

/**
 * Whether more than ASCII can be shown: not on a dumb terminal, nor in a locale without UTF-8. Where no locale is set,
 * as in most containers, it can.
 */
export function showsUnicode({ TERM, LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return TERM !== 'dumb' && (locale === '' || /utf-?8/i.test(locale));
}
