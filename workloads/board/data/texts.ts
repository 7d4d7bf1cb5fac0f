import type { Random } from './random.ts';

const WORDS = [
  ...[
    'board',
    'server',
    'query',
    'request',
    'driver',
    'socket',
    'row',
    'thread',
    'latest',
    'answer',
  ],
  ...[
    'measure',
    'time',
    'memory',
    'page',
    'reader',
    'writer',
    'index',
    'table',
    'comment',
    'weekend',
  ],
  ...['the', 'a', 'of', 'and', 'to', 'in', 'is', 'it', 'that', 'was', 'for', 'on', 'are', 'with'],
  ...['게시판', '서버', '질문', '댓글', '좋아요', '오늘', '사진', '여행', '속도', '감사합니다'],
] as const satisfies [string, ...string[]];
/** Marks that JSON or HTML escapes, and one of four bytes. */
const MARKS = ['.', '.', '.', '.', '!', '?', ' &amp; so on.', ' 🚀', '… "really"?'] as const;
const WORDS_A_LINE = 15;

/** A title, without markup. */
export function title(numbers: Random): string {
  return `${words(numbers, 4 + numbers.below(6))}${numbers.of(MARKS).replace('&amp;', '&')}`;
}

/** What an editor in the browser makes of so many lines: HTML, a paragraph a line. */
export function content(numbers: Random, lines: number): string {
  return Array.from({ length: lines }, () => {
    return `<p>${words(numbers, WORDS_A_LINE)}${numbers.of(MARKS)}</p>`;
  }).join('\n');
}

/**
 * What the newest post has beside, so that the answer is as long as the published ones to the byte: of `<`, `>` and
 * `&` Go's own encoder makes six bytes each, where others write one.
 */
export function filler(): string {
  return `<p>${'<br>'.repeat(47)}&amp;${'.'.repeat(2263)}</p>`;
}

/** A name of a few words, as `User server 여행`. */
export function name(numbers: Random, kind: string): string {
  return `${kind} ${words(numbers, 2)}`;
}

function words(numbers: Random, count: number): string {
  return Array.from({ length: count }, () => numbers.of(WORDS)).join(' ');
}
