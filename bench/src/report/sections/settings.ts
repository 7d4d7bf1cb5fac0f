import { PROGRAM } from '../../base/places.ts';
import { type Load, underWayOf } from '../../plan/loads.ts';
import type { Plan } from '../../plan/plan.ts';
import type { RunRecord } from '../../record/record.ts';
import type { Machine } from '../../system/machine.ts';
import type { Section } from '../document.ts';
import { asked, count, duration, limit, megabytes, perSecond, plural } from '../format.ts';
import { capitalized, loadName, topologyName, topologyWords } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { tableOf, words } from '../tabulate.ts';

type Fact = [name: string, text: string];

/** On what it was measured, how, and with which command. */
export function settingsSection(record: RunRecord): Section {
  const { machine, plan, command } = record;
  const table = factTable([...machineFacts(machine), ...planFacts(plan, record)]);
  const again =
    command.length === 0
      ? 'The record does not say with which command it was made.'
      : `The same again, on this machine or another: ${commandText(command)}`;
  return section('Machine and settings', [table, paragraph(again)]);
}

/** On what something was measured that is no run. */
export function machineSection(machine: Machine): Section {
  return section('Machine', [factTable(machineFacts(machine))]);
}

function factTable(facts: readonly Fact[]) {
  return tableOf(['what', ([name]) => name], [words<Fact>('', 'here', ([, text]) => text)], facts);
}

/** A command as it is typed in a shell. */
export function commandText(words: readonly string[]): string {
  const quoted = words.map((word) => {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  });
  return [PROGRAM, ...quoted].join(' ');
}

function machineFacts(machine: Machine): Fact[] {
  const { cpuModel, cores, parallelism, hypervisor, governor, versions, git } = machine;
  const sources = { schedstat: "the kernel's scheduler", pidusage: 'pidusage' };
  return [
    ['processor', `${cpuModel}, ${plural(cores.length, 'core')}, ${parallelism} at once`],
    ['system', `${machine.platform} ${machine.kernel}${hypervisor ? `, under ${hypervisor}` : ''}`],
    ['governor', governor ?? 'not told'],
    ['memory', `${megabytes(machine.memoryTotalBytes)} MB`],
    ['Node', versions.node ?? 'not told'],
    ['processes are pinned', machine.canPin ? 'yes' : 'no'],
    ['CPU time comes from', sources[machine.cpuSource]],
    ['overhead', git ? `${git.revision.slice(0, 12)}${git.dirty ? ', changed' : ''}` : 'not told'],
  ];
}

function planFacts(plan: Plan, { startedAt, wallNs, targets }: RunRecord): Fact[] {
  return [
    ['began', startedAt],
    ['took', duration(wallNs)],
    ['launches', count(plan.launches.length)],
    ['seed', String(plan.seed)],
    ['the same is', `within ${asked(plan.equivalence)}`],
    ['warm-up', warmupText(plan.warmup)],
    ...plan.topologies.map((topology): Fact => {
      return [`topology ${topologyName(topology)}`, topologyWords(topology, targets)];
    }),
    ...plan.loads.map((load): Fact => [capitalized(loadName(load)), loadText(load)]),
  ];
}

function warmupText(warmup: Plan['warmup']): string {
  switch (warmup.kind) {
    case 'none':
      return 'none';
    case 'timed':
      return limit(warmup.ns);
    case 'paced':
      return `${limit(warmup.ns)} at ${perSecond(warmup.ratePerS)} requests/s`;
    case 'settled':
      return `until settled, ${limit(warmup.capNs)} at the most`;
  }
}

function loadText(load: Load): string {
  const way =
    load.kind === 'closed'
      ? `closed loop, ${plural(underWayOf(load), 'request')} under way`
      : `open loop, ${perSecond(load.ratePerS)} requests/s by ${load.driver}, at most ${count(load.connections)} under way`;
  const pieces = load.method === 'sliced' ? 'slices of' : 'unbroken for';
  return `${way}; ${pieces} ${limit(load.sliceNs)}; time-out ${limit(load.timeoutNs)}`;
}
