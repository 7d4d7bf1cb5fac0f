import { expect, test } from 'vitest';
import { addressOf } from '../../src/launch/sockets.ts';

test.each([
  ['http://127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
  ['http://[::1]:3000', { host: '::1', port: 3000 }],
  ['http://localhost', { host: 'localhost', port: 80 }],
])('%s is reached at its host and port, which is 80 where none is said', (origin, address) => {
  expect(addressOf(origin)).toEqual(address);
});
