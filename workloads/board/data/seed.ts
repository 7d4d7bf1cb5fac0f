import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { categories, POSTS, post, users } from './rows.ts';

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
  for (let id = 1; id <= POSTS; id++) {
    const each = post(id);
    const { categoryId, writerId, title, content, views } = each;
    posts.push(line([id, categoryId, writerId, title, content, views, timeOf(each.createdAt)]));
    for (const comment of each.comments) {
      comments.push(line([comments.length + 1, id, comment.writerId, comment.content]));
    }
    for (const userId of each.likes) likes.push(line([id, userId]));
  }
  return [
    ['categories', named(categories())],
    ['users', named(users())],
    ['posts', posts.join('')],
    ['comments', comments.join('')],
    ['likes', likes.join('')],
  ];
}

function named(all: { id: number; name: string }[]): string {
  return all.map(({ id, name }) => line([id, name])).join('');
}

/** `2026-01-01 00:00:00.001`, in UTC. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}

function line(values: (string | number)[]): string {
  return `${values.map((value) => String(value).replaceAll(/[\\\t\n]/g, '\\$&')).join('\t')}\n`;
}

seed();
