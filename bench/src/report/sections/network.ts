import type { NetworkRow } from '../../summary/network.ts';
import type { Section } from '../document.ts';
import { count, microseconds, percent, plusMinus } from '../format.ts';
import { loadName, rowName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { amount, type Column, tableOf, words } from '../tabulate.ts';

/** What the network was between the machine that sends and that of the servers. */
export function networkSection(rows: readonly NetworkRow[]): Section {
  const name = ({ summary, condition }: NetworkRow) => rowName(summary.target, condition.topology);
  return section('Network', [tableOf(['target', name], COLUMNS, rows), paragraph(READING)]);
}

const COLUMNS: Column<NetworkRow>[] = [
  words('', 'load', ({ condition }) => loadName(condition.load)),
  amount('round trip', 'round trip\nleast, µs', ({ roundTrip }) => microseconds(roundTrip.leastNs)),
  amount('round trip', 'round trip\nmedian, µs', ({ roundTrip }) =>
    microseconds(roundTrip.medianNs),
  ),
  amount('round trip', 'round trip\nworst p95, µs', ({ roundTrip }) =>
    microseconds(roundTrip.p95Ns),
  ),
  amount('latency', 'of mean\nlatency', ({ share }) => (share === null ? null : percent(share))),
  amount('requests/s', 'requests/s\nat the most', ({ ceilingPerS }) => count(ceilingPerS)),
  amount('requests/s', 'requests/s\nmeasured', ({ throughput }) => plusMinus(throughput)),
];

const READING =
  'A round trip is a TCP handshake before each slice. At the most as many requests/s can be answered as are under ' +
  'way at a time, divided by a round trip.';
