import { once } from 'node:events';
import { connect } from 'node:net';
import { quantileSorted } from 'simple-statistics';
import { addressOf } from '../launch/sockets.ts';
import { now } from './clock.ts';
import type { RoundTrip } from './measurement.ts';

const HANDSHAKES = 21;

/**
 * How long the network takes there and back: a TCP handshake, which the kernels do between them. @throws where nobody
 * listens.
 */
export async function measureRoundTrip(origin: string): Promise<RoundTrip> {
  const times: number[] = [];
  for (let time = 0; time < HANDSHAKES; time++) {
    const fromNs = now();
    const socket = connect(addressOf(origin));
    try {
      await once(socket, 'connect');
      times.push(now() - fromNs);
    } finally {
      socket.destroy();
    }
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [leastNs, medianNs, mostNs] = [0, 0.5, 0.95].map((part) => quantileSorted(sorted, part));
  return { leastNs: leastNs ?? 0, medianNs: medianNs ?? 0, p95Ns: mostNs ?? 0 };
}
