/** What stands for a sign where only ASCII can be shown. */
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
  '…': '...',
  '“': '"',
  '”': '"',
  '’': "'",
  '•': '*',
  '▸': '>',
  '█': '#',
  '▒': ':',
  '░': '.',
  '\u00A0': ' ',
};

/** A text in ASCII: signs by what stands for them, letters without their accents, others as `?`. */
export function ascii(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/gu, (sign) => {
    return SIGNS[sign] ?? (sign.normalize('NFKD').replaceAll(/[^\0-\x7F]/gu, '') || '?');
  });
}

/**
 * Whether more than ASCII can be shown: not on a dumb terminal, nor in a locale that says so. Where no
 * locale is set, as in most containers, UTF-8 is.
 */
export function showsUnicode({ TERM, LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return TERM !== 'dumb' && (locale === '' || /utf-?8/i.test(locale));
}
