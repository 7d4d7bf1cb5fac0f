import { connect } from 'node:net';
import { codeOf } from '../base/errors.ts';

/** What a connection fails with where nobody listens, or this machine has no such address. */
const NOBODY = ['ECONNREFUSED', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'];

/** Whether somebody accepts a connection there. @throws what else a connection fails with. */
export function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      if (NOBODY.includes(codeOf(error) ?? '')) resolve(false);
      else reject(error);
    });
  });
}
