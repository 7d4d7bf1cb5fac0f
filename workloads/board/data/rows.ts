import { type Random, random } from './random.ts';
import { content, filler, name, title } from './texts.ts';

/** All rows are made from this number. */
const SEED = 20241121;

export const POSTS = 100_000;
const USERS = 5_000;
const CATEGORIES = 20;
/** Only these have the long texts that the list shows: of older posts it reads none. */
const LONG = 1_000;
const LONG_LINES = 46;
const SHORT_LINES = 2;
const MOST_COMMENTS = 8;
const MOST_LIKES = 12;

const FIRST_POST_MS = Date.UTC(2024, 0, 1);
const BETWEEN_MS = 600_000;
/** Rows of one kind have numbers of their own: a user's are not those of the post of the same uid. */
const KIND = { category: 1, user: 2, post: 3 } as const;

export interface Board {
  uid: number;
  id: string;
  type: number;
  useCategory: boolean;
}

export interface Category {
  uid: number;
  name: string;
}

export interface User extends Category {
  profile: string;
  signature: string;
}

export interface Post {
  uid: number;
  boardUid: number;
  categoryUid: number;
  userUid: number;
  title: string;
  content: string;
  cover: string;
  /** In ms since 1970. */
  submitted: number;
  modified: number;
  hit: number;
  status: number;
  comments: { userUid: number; content: string }[];
  /** The users that liked it, in order; some took it back. */
  likes: { userUid: number; liked: boolean }[];
}

const BOARDS = ['free', 'photo', 'travel', 'trade'];

export function boards(): Board[] {
  return BOARDS.map((id, place) => {
    return { uid: place + 1, id, type: place % 2, useCategory: place % 2 === 0 };
  });
}

export function categories(): Category[] {
  return numbered(CATEGORIES).map((uid) => {
    return { uid, name: name(from(KIND.category, uid), 'Board') };
  });
}

export function users(): User[] {
  return numbered(USERS).map((uid) => {
    const numbers = from(KIND.user, uid);
    const profile = `/upload/profile/user_${uid}.avif`;
    return { uid, name: name(numbers, 'User'), profile, signature: title(numbers) };
  });
}

/** The post of this uid, 1 to POSTS: the higher, the later. */
export function post(uid: number): Post {
  const numbers = from(KIND.post, uid);
  const someone = () => 1 + numbers.below(USERS);
  const submitted = FIRST_POST_MS + uid * BETWEEN_MS + numbers.below(BETWEEN_MS);
  const text = content(numbers, uid > POSTS - LONG ? LONG_LINES : SHORT_LINES);
  return {
    uid,
    boardUid: 1 + numbers.below(BOARDS.length),
    categoryUid: 1 + numbers.below(CATEGORIES),
    userUid: someone(),
    title: title(numbers),
    content: uid === POSTS ? text + filler() : text,
    cover: `/upload/thumbnails/post_${uid}.avif`,
    submitted,
    modified: submitted + numbers.below(BETWEEN_MS),
    hit: numbers.below(10_000),
    status: 0,
    comments: Array.from({ length: numbers.below(MOST_COMMENTS + 1) }, () => ({
      userUid: someone(),
      content: title(numbers),
    })),
    likes: likesOf(numbers),
  };
}

/** Some users, each once; one post in three has one by the first, who reads the list. */
function likesOf(numbers: Random): Post['likes'] {
  const isReaders = numbers.below(3) === 0;
  const others = Array.from({ length: numbers.below(MOST_LIKES + 1) }, () => {
    return 2 + numbers.below(USERS - 1);
  });
  const all = isReaders ? [1, ...others] : others;
  const own = [...new Set(all)].sort((a, b) => a - b);
  return own.map((userUid) => ({ userUid, liked: numbers.below(10) > 0 }));
}

function from(kind: number, uid: number): Random {
  return random(SEED, kind * 10_000_000 + uid);
}

function numbered(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}
