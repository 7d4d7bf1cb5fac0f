import { PROGRAM } from '../../base/places.ts';
import { type Load, underWayOf } from '../../plan/loads.ts';
import type { Plan } from '../../plan/plan.ts';
import { isPlain } from '../../plan/topology.ts';
import type { RunRecord } from '../../record/record.ts';
import { SERVICES } from '../../services/index.ts';
import type { NetworkRow } from '../../summary/network.ts';
import { type ServiceState, type StartSummary, summarizeStarts } from '../../summary/servers.ts';
import type { Machine } from '../../system/machine.ts';
import { amount, type Column, type Section, type Table, tableOf, words } from '../document.ts';
import {
  asked,
  count,
  duration,
  limit,
  megabytes,
  microseconds,
  milliseconds,
  number,
  percent,
  perSecond,
  plural,
  sentences,
} from '../format.ts';
import { serverName } from '../head.ts';
import { capitalized, coresText, loadName, topologyName, topologyWords } from '../names.ts';
import { section, sectionIfAny } from '../section.ts';
import { PLACE, throughput } from './columns.ts';

type Fact = [name: string, text: string];

export function settingsSection(record: RunRecord): Section {
  return section('Machine and settings', [
    factTable([...machineFacts(record.machine), ...planFacts(record)]),
    record.command.length === 0
      ? 'The record does not say which command made it.'
      : `To measure the same again, on this machine or another: ${commandText(record.command)}`,
  ]);
}

/** The machine alone, for records that are not runs. */
export function machineSection(machine: Machine): Section {
  return section('Machine', [factTable(machineFacts(machine))]);
}

function factTable(facts: readonly Fact[]): Table {
  return tableOf(
    ['setting', ([name]) => name],
    [words<Fact>('', 'value', ([, text]) => text)],
    facts,
  );
}

/** A command, quoted for a shell. */
export function commandText(words: readonly string[]): string {
  const quoted = words.map((word) => {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  });
  return [PROGRAM, ...quoted].join(' ');
}

const CPU_SOURCES = { schedstat: "the kernel's scheduler", pidusage: 'pidusage' };

function machineFacts(machine: Machine): Fact[] {
  const { cpuModel, cores, parallelism, hypervisor, governor, versions } = machine;
  return [
    ['processor', `${cpuModel}, ${plural(cores.length, 'core')}, ${parallelism} at once`],
    ['system', `${machine.platform} ${machine.kernel}${hypervisor ? `, under ${hypervisor}` : ''}`],
    ['governor', governor ?? 'unknown'],
    ['memory', `${megabytes(machine.memoryTotalBytes)} MB`],
    ['Node', versions.node ?? 'unknown'],
    ['processes are pinned', machine.canPin ? 'yes' : 'no'],
    ['CPU time comes from', CPU_SOURCES[machine.cpuSource]],
    ['overhead', revisionText(machine) ?? 'unknown'],
  ];
}

/** The revision of the harness; null if it was not a checkout. */
export function revisionText({ git }: Machine): string | null {
  return git && `${git.revision.slice(0, 12)}${git.dirty ? ', changed' : ''}`;
}

function planFacts({ plan, startedAt, wallNs, targets }: RunRecord): Fact[] {
  const rows = targets.map((target) => ({ target }));
  return [
    ['started', startedAt],
    ['took', duration(wallNs)],
    ['launches', count(plan.launches.length)],
    ['seed', String(plan.seed)],
    ['same means', `within ${asked(plan.equivalence)}`],
    ['warm-up', warmupText(plan.warmup)],
    ...plan.topologies.map((topology): Fact => {
      return [`topology ${topologyName(topology)}`, topologyWords(topology, rows)];
    }),
    ...plan.loads.map((load): Fact => [capitalized(loadName(load)), loadText(load)]),
  ];
}

function warmupText(warmup: Plan['warmup']): string {
  if (warmup.kind === 'none') return 'none';
  if (warmup.kind === 'settled') return `until settled, at most ${limit(warmup.capNs)}`;
  return `${limit(warmup.ns)} at ${perSecond(warmup.ratePerS)} requests/s`;
}

function loadText(load: Load): string {
  const way =
    load.kind === 'closed'
      ? `closed loop, ${plural(underWayOf(load), 'request')} in flight`
      : `open loop, ${perSecond(load.ratePerS)} requests/s by ${load.driver}, at most ${count(load.connections)} in flight`;
  const pieces = load.method === 'sliced' ? 'slices of' : 'unbroken for';
  return `${way}; ${pieces} ${limit(load.sliceNs)}; time-out ${limit(load.timeoutNs)}`;
}

/** What only the full run measures; nothing unless the run measured just CPU time as a single process. */
export function notMeasuredSection({ loads, topologies }: Plan): Section[] {
  const isOne = loads.every(({ headline }) => headline === 'cpu') && topologies.every(isPlain);
  if (!isOne) return [];
  const text =
    'This run asked one question: what a request costs as a single process. Requests/s and latency under the published load, ' +
    'what more processes bring, and published claims need the full run: all topologies and its own load, without --quick.';
  return [section('Not measured', [text])];
}

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
    idleNsPerS === null ? '' : `; idle, it used ${number(idleNsPerS / 1e6)} ms of CPU a second`;
  return `${label} shares ${where}${idle}.`;
}

/**
 * Round trips between the machine that sends and the machine of the servers, and the requests/s that they allow;
 * nothing on a single machine.
 */
export function networkSection(rows: readonly NetworkRow[]): Section[] {
  const text =
    'A round trip is a TCP handshake before each slice. "At most" is the number of requests in flight divided by the median ' +
    'round trip: more requests/s cannot be answered.';
  return sectionIfAny('Network', tableOf(PLACE, NETWORK, rows), text);
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
  const nameOf = ({ server }: StartSummary) => serverName(record, server);
  const table = tableOf(['server', nameOf], STARTS, summarizeStarts(record));
  const text =
    'The first answer is the first correct one, counted from the start of the process. Up to eight servers start at a time, on ' +
    'the cores that they are measured on; alone, each would be faster. "At rest" is before any load.';
  return sectionIfAny('Starts', table, text);
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
