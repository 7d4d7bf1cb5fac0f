import { type Random, random } from './random.ts';
import { content, name, title } from './texts.ts';

/** All rows are made from this number. */
const SEED = 20241121;

export const POSTS = 100_000;
const USERS = 5_000;
const CATEGORIES = 20;
/** Only these have the long texts that the list shows: of older posts it reads none. */
const LONG = 1_000;
const LONG_LINES = 45;
const SHORT_LINES = 2;
const MOST_COMMENTS = 8;
const MOST_LIKES = 12;

const FIRST_POST_MS = Date.UTC(2024, 0, 1);
const BETWEEN_MS = 600_000;
/** Rows of one kind have numbers of their own: a user's are not those of the post of the same id. */
const KIND = { category: 1, user: 2, post: 3 } as const;

export interface Named {
  id: number;
  name: string;
}

export interface Post {
  id: number;
  categoryId: number;
  writerId: number;
  title: string;
  content: string;
  views: number;
  /** In ms since 1970. Its last digit is never 0: Go leaves that digit out of JSON, JavaScript writes it. */
  createdAt: number;
  comments: { writerId: number; content: string }[];
  /** The users that like it, in order. */
  likes: number[];
}

export function categories(): Named[] {
  return numbered(CATEGORIES).map((id) => ({ id, name: name(from(KIND.category, id), 'Board') }));
}

export function users(): Named[] {
  return numbered(USERS).map(user);
}

function user(id: number): Named {
  return { id, name: name(from(KIND.user, id), 'User') };
}

/** The post of this id, 1 to POSTS: the higher, the later. */
export function post(id: number): Post {
  const numbers = from(KIND.post, id);
  const someone = () => 1 + numbers.below(USERS);
  return {
    id,
    categoryId: 1 + numbers.below(CATEGORIES),
    writerId: someone(),
    title: title(numbers),
    content: content(numbers, id > POSTS - LONG ? LONG_LINES : SHORT_LINES),
    views: numbers.below(10_000),
    createdAt: FIRST_POST_MS + id * BETWEEN_MS + numbers.below(BETWEEN_MS / 10) * 10 + 1,
    comments: Array.from({ length: numbers.below(MOST_COMMENTS + 1) }, () => ({
      writerId: someone(),
      content: title(numbers),
    })),
    likes: likesOf(numbers),
  };
}

/** Some users, each once; one post in three is liked by the first, who reads the list. */
function likesOf(numbers: Random): number[] {
  const isReaders = numbers.below(3) === 0;
  const others = Array.from({ length: numbers.below(MOST_LIKES + 1) }, () => {
    return 2 + numbers.below(USERS - 1);
  });
  const all = isReaders ? [1, ...others] : others;
  return [...new Set(all)].sort((a, b) => a - b);
}

function from(kind: number, id: number): Random {
  return random(SEED, kind * 10_000_000 + id);
}

function numbered(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}
