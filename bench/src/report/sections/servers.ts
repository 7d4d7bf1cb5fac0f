import type { RunRecord } from '../../record/record.ts';
import { SERVICES } from '../../services/index.ts';
import type { NetworkRow } from '../../summary/network.ts';
import { type ServiceState, type StartSummary, summarizeStarts } from '../../summary/servers.ts';
import { amount, type Column, type Section, words } from '../document.ts';
import { count, megabytes, microseconds, milliseconds, percent, sentences } from '../format.ts';
import { serverName } from '../head.ts';
import { coresText, loadName } from '../names.ts';
import { section, sectionIfAny } from '../section.ts';
import { PLACE, throughput } from './columns.ts';

/** The version, cores and idle CPU use of each service; what they take per request is in the other tables. */
export function servicesSection(services: readonly ServiceState[]): Section {
  const text = sentences(
    ...services.map(stateText),
    'One instance of each serves all servers of a launch that need it; its idle CPU time is subtracted.',
  );
  return section('Services', [text]);
}

function stateText({ name, versions, cores, idleNsPerS }: ServiceState): string {
  const label = `${SERVICES[name].label} ${versions.join(', ')}`.trim();
  const where = cores === null ? 'all cores' : `${coresText(cores)} with the servers`;
  const idle =
    idleNsPerS === null ? '' : `; idle, it used ${milliseconds(idleNsPerS)} ms of CPU a second`;
  return `${label} shares ${where}${idle}.`;
}

/** Round trips between generator and servers, and the requests/s that they allow; nothing on a single machine. */
export function networkSection(rows: readonly NetworkRow[]): Section[] {
  const text =
    'A round trip is a TCP handshake before each slice. "At most" is the number of requests in flight divided by the median ' +
    'round trip: more requests/s cannot be answered.';
  return sectionIfAny('Network', { name: PLACE, columns: NETWORK, rows, text: [text] });
}

const NETWORK: Column<NetworkRow>[] = [
  words('', 'load', ({ load }) => loadName(load)),
  roundTrip('least, µs', 'leastNs'),
  roundTrip('median, µs', 'medianNs'),
  roundTrip('worst p95, µs', 'p95Ns'),
  amount('latency', 'of mean\nlatency', ({ share }) => percent(share)),
  amount('requests/s', 'requests/s\nat most', ({ ceilingPerS }) => count(ceilingPerS)),
  throughput('requests/s', 'requests/s\nmeasured'),
];

function roundTrip(what: string, name: keyof NetworkRow['roundTrip']): Column<NetworkRow> {
  const group = 'round trip';
  return amount(group, `${group}\n${what}`, (row) => microseconds(row.roundTrip[name]));
}

/** Time to the first answer and memory at rest of each server; nothing in records that do not say. */
export function startsSection(record: RunRecord): Section[] {
  return sectionIfAny('Starts', {
    name: ['server', ({ server }) => serverName(record, server)],
    columns: STARTS,
    rows: summarizeStarts(record),
    text: [
      'The first answer is the first correct one, counted from the start of the process. Up to eight servers start at a time, on ' +
        'the cores that they are measured on; alone, each would be faster. "At rest" is before any load.',
    ],
  });
}

const STARTS: Column<StartSummary>[] = [
  amount('', 'starts', ({ starts }) => count(starts)),
  amount('answer', 'first answer\nmedian, ms', ({ answer }) => {
    return answer && milliseconds(answer.median);
  }),
  amount('answer', 'worst,\nms', ({ answer }) => answer && milliseconds(answer.worst)),
  amount('memory', 'PSS at rest\nmedian, MB', ({ memory }) => memory && megabytes(memory.median)),
  amount('memory', 'worst,\nMB', ({ memory }) => memory && megabytes(memory.worst)),
];
