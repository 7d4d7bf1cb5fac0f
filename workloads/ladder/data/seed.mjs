// Fills the database that the environment names, by the client that comes with the server.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { MARIADB_SOCKET, MARIADB_USER, MARIADB_PASSWORD, MARIADB_DATABASE } = process.env;

execFileSync(
  'mariadb',
  [
    '--no-defaults',
    `--socket=${MARIADB_SOCKET}`,
    `--user=${MARIADB_USER}`,
    `--password=${MARIADB_PASSWORD}`,
    MARIADB_DATABASE,
  ],
  {
    input: readFileSync(join(import.meta.dirname, 'schema.sql')),
    stdio: ['pipe', 'inherit', 'inherit'],
  },
);
