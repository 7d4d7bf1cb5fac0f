import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { boards, categories, POSTS, post, users } from './rows.ts';

const {
  MARIADB_SOCKET = '',
  MARIADB_USER = '',
  MARIADB_PASSWORD = '',
  MARIADB_DATABASE = '',
} = process.env;

/** Fills the database that the environment names: makes its tables, and loads all rows in bulk. */
function seed(): void {
  // Beside the socket, in a folder that goes with the run even when this process is killed.
  const folder = mkdtempSync(join(dirname(MARIADB_SOCKET), 'rows-'));
  try {
    const tables = rows().map(([table, text]) => {
      const file = join(folder, table);
      writeFileSync(file, text);
      return { table, file };
    });
    mariadb([
      readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8'),
      // Into empty tables, in the order of their keys: MariaDB then writes in bulk.
      'SET unique_checks = 0, foreign_key_checks = 0;',
      ...tables.map(({ table, file }) => {
        return `LOAD DATA LOCAL INFILE '${file}' INTO TABLE ${table} CHARACTER SET utf8mb4;`;
      }),
      // Without it the optimizer's figures come later, in the background, and may bring another plan.
      ...tables.map(({ table }) => `ANALYZE TABLE ${table};`),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The client that comes with the server, so that nothing has to be installed for a seed. */
function mariadb(statements: string[]): void {
  const own = ['--no-defaults', '--local-infile=1', `--socket=${MARIADB_SOCKET}`];
  const account = [`--user=${MARIADB_USER}`, `--password=${MARIADB_PASSWORD}`];
  const input = statements.join('\n');
  execFileSync('mariadb', [...own, ...account, MARIADB_DATABASE], {
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
}

/** The tables with their rows as LOAD DATA reads them, in an order in which none comes before what it names. */
function rows(): [table: string, text: string][] {
  const posts: string[] = [];
  const comments: string[] = [];
  const likes: string[] = [];
  for (let uid = 1; uid <= POSTS; uid++) {
    const each = post(uid);
    const { boardUid, categoryUid, userUid, title, content, cover } = each;
    const { submitted, modified, hit, status } = each;
    const own = [uid, boardUid, categoryUid, userUid, title, content, cover];
    posts.push(line([...own, submitted, modified, hit, status]));
    for (const comment of each.comments) {
      comments.push(line([comments.length + 1, uid, comment.userUid, comment.content]));
    }
    for (const like of each.likes) likes.push(line([uid, like.userUid, like.liked]));
  }
  const lines = (all: object[]) => all.map((row) => line(Object.values(row))).join('');
  return [
    ['boards', lines(boards())],
    ['categories', lines(categories())],
    ['users', lines(users())],
    ['posts', posts.join('')],
    ['comments', comments.join('')],
    ['likes', likes.join('')],
  ];
}

function line(values: (string | number | boolean)[]): string {
  const texts = values.map((value) => String(typeof value === 'boolean' ? Number(value) : value));
  return `${texts.map((text) => text.replaceAll(/[\\\t\n]/g, '\\$&')).join('\t')}\n`;
}

seed();
