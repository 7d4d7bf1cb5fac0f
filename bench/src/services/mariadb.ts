import { join } from 'node:path';
import { LOOPBACK, MOST_CONNECTIONS, type Service } from './service.ts';

/** The name of the database and of its user, and the password: nobody else can reach it anyway. */
const BENCH = 'bench';
const ACCOUNTS = ['localhost', LOOPBACK].map((host) => `'${BENCH}'@'${host}'`);
const INIT = 'init.sql';
/** Of the greeting: three bytes of length, one of sequence, and the version of the protocol; 255 in an error. */
const PROTOCOL_AT = 4;
const PROTOCOL = 10;

/** MariaDB with its own defaults, except for the query cache, which would answer in place of the tables. */
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
  persists: true,
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
    // The CPU time of a thread that ends would be lost with it: threads wait for the next connection.
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

/** MariaDB refuses to start as root unless it is told to. */
function asRoot(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}
