import { LOOPBACK, MOST_CONNECTIONS, type Service } from './service.ts';

/** Redis, only in memory: nothing is written to disk. */
export const redis: Service = {
  label: 'Redis',
  program: ['redis-server'],
  packages: ['redis-server'],
  version: { args: ['--version'], pattern: / v=(\S+)/ },
  fresh: null,
  files: {},
  args: ({ data, socket, port }) => [
    ...['--bind', LOOPBACK, '--port', String(port), '--unixsocket', socket, '--dir', data],
    ...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
    ...['--maxclients', String(MOST_CONNECTIONS)],
  ],
  greeting: { say: 'PING\r\n', isAnswer: (bytes) => bytes.toString().startsWith('+PONG') },
  environment: ({ socket, port }) => ({
    REDIS_URL: `redis://${LOOPBACK}:${port}`,
    REDIS_HOST: LOOPBACK,
    REDIS_PORT: String(port),
    REDIS_SOCKET: socket,
  }),
};
