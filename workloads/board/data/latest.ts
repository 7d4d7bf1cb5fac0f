import { boards, categories, POSTS, post, users } from './rows.ts';

/** How many posts the list shows. */
const SHOWN = 100;
/** The user who reads the list: `liked` is about this one. */
const READER = 1;

/** What `GET /latest` answers, made from the rows and not from a database. */
export function latest() {
  const of = { boards: byUid(boards()), categories: byUid(categories()), users: byUid(users()) };
  const result = Array.from({ length: SHOWN }, (_, index) => {
    const each = post(POSTS - index);
    const { uid, title, content, submitted, modified, hit, status, cover } = each;
    const { uid: writerUid, ...writer } = of.users(each.userUid);
    const { id, type, useCategory } = of.boards(each.boardUid);
    const likes = each.likes.filter(({ liked }) => liked);
    return {
      ...{ uid, title, content, submitted, modified, hit, status },
      category: of.categories(each.categoryUid),
      cover,
      comment: each.comments.length,
      like: likes.length,
      liked: likes.some(({ userUid }) => userUid === READER),
      writer: { uid: writerUid, ...writer },
      ...{ id, type, useCategory },
    };
  });
  return { success: true, error: '', result };
}

/** Finds a row that has to be there. */
function byUid<Row extends { uid: number }>(rows: Row[]): (uid: number) => Row {
  const all = new Map(rows.map((row) => [row.uid, row]));
  return (uid) => {
    const found = all.get(uid);
    if (found === undefined) throw new Error(`no row has the uid ${uid}`);
    return found;
  };
}
