import type { NetworkRow } from '../../summary/network.ts';
import type { Section } from '../document.ts';
import { count, microseconds, percent, plusMinus } from '../format.ts';
import { loadName, rowName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { amount, type Column, tableOf, words } from '../tabulate.ts';

/** Round trips between the machine that sends and the machine of the servers, and the requests/s that they allow. */
export function networkSection(rows: readonly NetworkRow[]): Section {
  const name = ({ summary, condition }: NetworkRow) => rowName(summary.target, condition.topology);
  return section('Network', [tableOf(['target', name], COLUMNS, rows), paragraph(READING)]);
}

const COLUMNS: Column<NetworkRow>[] = [
  words('', 'load', ({ condition }) => loadName(condition.load)),
  roundTrip('least, µs', 'leastNs'),
  roundTrip('median, µs', 'medianNs'),
  roundTrip('worst p95, µs', 'p95Ns'),
  amount('latency', 'of mean\nlatency', ({ share }) => (share === null ? null : percent(share))),
  amount('requests/s', 'requests/s\nat most', ({ ceilingPerS }) => count(ceilingPerS)),
  amount('requests/s', 'requests/s\nmeasured', ({ throughput }) => plusMinus(throughput)),
];

function roundTrip(what: string, name: keyof NetworkRow['roundTrip']): Column<NetworkRow> {
  const group = 'round trip';
  return amount(group, `${group}\n${what}`, (row) => microseconds(row.roundTrip[name]));
}

const READING =
  'A round trip is a TCP handshake before each slice. "At most" is the number of requests in flight divided by the median ' +
  'round trip: more requests/s cannot be answered.';
