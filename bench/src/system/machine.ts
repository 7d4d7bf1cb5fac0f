import { availableParallelism, cpus, freemem, release, totalmem } from 'node:os';
import { execa } from 'execa';
import { z } from 'zod';
import { BENCH, ROOT } from '../base/places.ts';
import { quotaCores } from './control-groups.ts';
import { dependenciesOf, installedVersion } from './packages.ts';
import { CAN_PIN } from './pin.ts';
import { numberAfter, parseList, textOf } from './proc-files.ts';
import { CPU_SOURCE } from './usage.ts';

export const machineSchema = z.object({
  platform: z.string(),
  kernel: z.string(),
  cpuModel: z.string(),
  /** The numbers of the cores that this process may run on. */
  cores: z.array(z.int().min(0)).min(1),
  parallelism: z.int().min(1),
  /** How many processes pm2's own `max` would start: one per core of the machine. */
  pm2Max: z.int().min(1),
  hypervisor: z.string().nullable(),
  governor: z.string().nullable(),
  memoryTotalBytes: z.number().min(0),
  memoryAvailableBytes: z.number().min(0),
  /** How many files a process may open; null if the system does not tell. */
  fileLimit: z.int().min(0).nullable(),
  /** How many local ports there are for connections to one server; null if the system does not tell. */
  localPorts: z.int().min(0).nullable().default(null),
  canPin: z.boolean(),
  /** Whether the load generators run on it too. */
  hostsGenerator: z.boolean().default(true),
  cpuSource: z.enum(['schedstat', 'pidusage']),
  /** The versions of Node and of all packages that a target or the harness depends on. */
  versions: z
    .record(z.string(), z.string())
    .refine(({ node }) => node !== undefined, 'that of node is missing'),
  git: z.object({ revision: z.string(), dirty: z.boolean() }).nullable(),
});

/** The machine that a run was measured on, and the versions of the software. */
export type Machine = z.infer<typeof machineSchema>;

const GOVERNOR = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor';

/** Describes this machine, the installed dependencies of these folders, and the git checkout. */
export async function describeMachine(folders: string[]): Promise<Machine> {
  return {
    platform: `${process.platform} ${process.arch}`,
    kernel: release(),
    cpuModel: cpus()[0]?.model.trim() || 'unknown',
    cores: allowedCores(),
    parallelism: parallelism(),
    // Like `numCPUs` in pm2's lib/God.js.
    pm2Max: cpus().length || 1,
    hypervisor: await hypervisor(),
    governor: textOf(GOVERNOR)?.trimEnd() ?? null,
    memoryTotalBytes: totalmem(),
    memoryAvailableBytes: availableMemory(),
    // Node raises its soft limit to the hard one when it starts; its children inherit that.
    fileLimit: parseFileLimit(textOf('/proc/self/limits') ?? ''),
    localPorts: parsePortRange(textOf('/proc/sys/net/ipv4/ip_local_port_range') ?? ''),
    canPin: CAN_PIN,
    hostsGenerator: true,
    cpuSource: CPU_SOURCE,
    versions: versionsOf(folders),
    git: await gitState(),
  };
}

/** How many processes can run at once: the cores that this one may use, within the quotas of its control groups. */
export function parallelism(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(quotaCores(textOf))));
}

function allowedCores(): number[] {
  const status = textOf('/proc/self/status') ?? '';
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1];
  if (list !== undefined) return parseList(list);
  return Array.from({ length: availableParallelism() }, (_, index) => index);
}

function availableMemory(): number {
  const meminfo = textOf('/proc/meminfo') ?? '';
  const system = numberAfter('MemAvailable', meminfo, freemem() / 1024) * 1024;
  // The limit of the control group; 0 without one.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(system, constrained) : system;
}

/** How many files a process may open, by a `/proc/self/limits`; null without a limit. */
export function parseFileLimit(limits: string): number | null {
  const soft = /^Max open files +(\d{1,15}) /m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}

/** How many ports an `ip_local_port_range` contains; null for any other text. */
export function parsePortRange(range: string): number | null {
  const [, first, last] = /^\s*(\d{1,5})\s+(\d{1,5})\s*$/.exec(range) ?? [];
  const ports = Number(last) - Number(first) + 1;
  return ports > 0 ? ports : null;
}

async function hypervisor(): Promise<string | null> {
  const { stdout, failed } = await execa('lscpu', { reject: false, env: { LC_ALL: 'C' } });
  return failed ? null : parseHypervisor(stdout);
}

/** The hypervisor's vendor in the output of `lscpu`; null on bare metal. */
export function parseHypervisor(lscpu: string): string | null {
  return /^Hypervisor vendor: *(\S.*)$/m.exec(lscpu)?.[1] ?? null;
}

async function gitState(): Promise<Machine['git']> {
  const command = ['status', '--porcelain=v2', '--branch'];
  const { stdout, failed } = await execa('git', command, { cwd: ROOT, reject: false });
  const revision = /^# branch\.oid ([\da-f]+)$/m.exec(stdout)?.[1];
  return failed || revision === undefined ? null : { revision, dirty: /^[^#]/m.test(stdout) };
}

function versionsOf(folders: string[]): Machine['versions'] {
  const versions: Record<string, string> = { node: process.versions.node };
  for (const folder of [BENCH, ...folders]) {
    for (const name of dependenciesOf(folder)) {
      const installed = installedVersion(folder, name);
      if (installed !== null) versions[name] = installed;
    }
  }
  return versions;
}
