import { PROGRAM } from '../../base/places.ts';
import { type Load, underWayOf } from '../../plan/loads.ts';
import type { Plan } from '../../plan/plan.ts';
import { isPlain } from '../../plan/topology.ts';
import type { RunRecord } from '../../record/record.ts';
import type { Machine } from '../../system/machine.ts';
import { type Section, type Table, tableOf, words } from '../document.ts';
import { asked, count, duration, limit, megabytes, perSecond, plural } from '../format.ts';
import { capitalized, loadName, topologyName, topologyWords } from '../names.ts';
import { section } from '../section.ts';

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
  const value = words<Fact>('', 'value', ([, text]) => text);
  return tableOf(['setting', ([name]) => name], [value], facts);
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
