import { categories, type Named, POSTS, post, users } from './rows.ts';

/** How many posts the list shows. */
const SHOWN = 100;
/** The user who reads the list: `liked` is about this one. */
const READER = 1;

/** What `GET /latest` answers, made from the rows and not from a database. */
export function latest() {
  const named = { categories: byId(categories()), users: byId(users()) };
  const posts = Array.from({ length: SHOWN }, (_, index) => {
    const each = post(POSTS - index);
    const { id, title, content, views } = each;
    return {
      ...{ id, title, content, views },
      createdAt: new Date(each.createdAt).toISOString(),
      category: named.categories.get(each.categoryId),
      writer: named.users.get(each.writerId),
      comments: each.comments.length,
      likes: each.likes.length,
      liked: each.likes.includes(READER),
    };
  });
  return { posts };
}

function byId(rows: Named[]): Map<number, Named> {
  return new Map(rows.map((row) => [row.id, row]));
}
