import { join } from 'node:path';
import { LOOPBACK, MOST_CONNECTIONS, type Service } from './service.ts';

/** The database, its user and the password, which needs no secret: only this machine can reach it. */
const BENCH = 'bench';
const ACCOUNTS = ['localhost', LOOPBACK].map((host) => `'${BENCH}'@'${host}'`);
const INIT = 'init.sql';
/** The greeting: three bytes of length, one of sequence, then the version of the protocol, or 255 for an error. */
const PROTOCOL_AT = 4;
const PROTOCOL = 10;

/** MariaDB with its defaults, but without the query cache, which would answer instead of the tables. */
export const mariadb: Service = {
  label: 'MariaDB',
  program: ['mariadbd', 'mysqld'],
  packages: ['mariadb-server-core', 'mariadb-client-core'],
  version: { args: ['--no-defaults', '--version'], pattern: / Ver (\d+(?:\.\d+)*)/ },
  fresh: {
    program: ['mariadb-install-db', 'mysql_install_db'],
    args: (data) => [
      ...['--no-defaults', ...asRoot(), `--datadir=${data}`],
      ...['--auth-root-authentication-method=normal', '--skip-test-db'],
    ],
  },
  files: {
    [INIT]: [
      `CREATE DATABASE IF NOT EXISTS ${BENCH};`,
      ...ACCOUNTS.flatMap((account) => [
        `CREATE OR REPLACE USER ${account} IDENTIFIED BY '${BENCH}';`,
        `GRANT ALL ON *.* TO ${account};`,
      ]),
      '',
    ].join('\n'),
  },
  args: ({ folder, data, socket, port }) => [
    ...['--no-defaults', ...asRoot()],
    ...[`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${join(folder, 'pid')}`],
    ...[`--bind-address=${LOOPBACK}`, `--port=${port}`, '--skip-name-resolve'],
    ...['--query-cache-type=0', '--query-cache-size=0'],
    `--max-connections=${MOST_CONNECTIONS}`,
    // Threads are reused, since the CPU time of a thread that ends would be lost.
    `--thread-cache-size=${MOST_CONNECTIONS}`,
    `--init-file=${join(folder, INIT)}`,
  ],
  greeting: { say: '', isAnswer: (bytes) => bytes[PROTOCOL_AT] === PROTOCOL },
  environment: ({ socket, port }) => ({
    DATABASE_URL: `mysql://${BENCH}:${BENCH}@${LOOPBACK}:${port}/${BENCH}`,
    MARIADB_HOST: LOOPBACK,
    MARIADB_PORT: String(port),
    MARIADB_SOCKET: socket,
    MARIADB_USER: BENCH,
    MARIADB_PASSWORD: BENCH,
    MARIADB_DATABASE: BENCH,
  }),
};

/** MariaDB starts as root only with this option. */
function asRoot(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}
