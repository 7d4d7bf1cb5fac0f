import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, freemem, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { BENCH, ROOT } from '../base/places.ts';
import { textOf } from './gone.ts';
import { parallelism } from './parallelism.ts';
import { CAN_PIN } from './pin.ts';
import { wholeNumber } from './stat-fields.ts';
import { CPU_SOURCE } from './usage.ts';

export const machineSchema = z.object({
  platform: z.string(),
  kernel: z.string(),
  cpuModel: z.string(),
  /** The cores this process may run on, by number. */
  cores: z.array(z.int().min(0)).min(1),
  /** How many processes can really run at once: affinity and the quotas of control groups considered. */
  parallelism: z.int().min(1),
  /** How many processes pm2's own `max` would start: one for each core that the machine has. */
  pm2Max: z.int().min(1),
  hypervisor: z.string().nullable(),
  governor: z.string().nullable(),
  memoryTotalBytes: z.number().min(0),
  memoryAvailableBytes: z.number().min(0),
  /** How many files a process may open, or null where the system does not tell. */
  fileLimit: z.int().min(0).nullable(),
  /** How many ports connections to one server may come from, or null where the system does not tell. */
  localPorts: z.int().min(0).nullable().default(null),
  canPin: z.boolean(),
  /** Whether the generators run on it too. */
  hostsGenerator: z.boolean().default(true),
  cpuSource: z.enum(['schedstat', 'pidusage']),
  /** Versions of Node, and of each package that a target or the harness depends on. */
  versions: z
    .record(z.string(), z.string())
    .refine(({ node }) => node !== undefined, 'that of node is missing'),
  git: z.object({ revision: z.string(), dirty: z.boolean() }).nullable(),
});

/** The machine a run was measured on, and what it was measured with. */
export type Machine = z.infer<typeof machineSchema>;

const GOVERNOR = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor';

/** Looks at this machine, at the versions of what the packages in these folders use, and at the git checkout. */
export async function describeMachine(folders: string[]): Promise<Machine> {
  const model = cpus()[0]?.model;
  return {
    platform: `${process.platform} ${process.arch}`,
    kernel: release(),
    cpuModel: model ? model.trim() : 'unknown',
    cores: allowedCores(),
    parallelism: parallelism(),
    pm2Max: pm2Max(),
    hypervisor: await hypervisor(),
    governor: textOf(GOVERNOR)?.trimEnd() ?? null,
    memoryTotalBytes: totalmem(),
    memoryAvailableBytes: availableMemory(),
    // Node has raised its soft limit to the hard one by itself, and its children inherit that.
    fileLimit: parseFileLimit(textOf('/proc/self/limits') ?? ''),
    localPorts: parsePortRange(textOf('/proc/sys/net/ipv4/ip_local_port_range') ?? ''),
    canPin: CAN_PIN,
    hostsGenerator: true,
    cpuSource: CPU_SOURCE,
    versions: versionsOf(folders),
    git: await gitState(),
  };
}

/** As `numCPUs` in pm2's lib/God.js. */
function pm2Max(): number {
  return cpus().length || 1;
}

/** The numbers in a kernel list such as `0-3,8`. @throws for what is none. */
export function parseCoreList(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from <= to)) throw new Error(`the kernel's list of cores is none: ${list}`);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function allowedCores(): number[] {
  const status = textOf('/proc/self/status') ?? '';
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1];
  if (list !== undefined) return parseCoreList(list);
  return Array.from({ length: availableParallelism() }, (_, index) => index);
}

/** The memory that a /proc/meminfo calls available, bytes; null where it tells nothing of it. */
export function parseAvailable(meminfo: string): number | null {
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(meminfo)?.[1];
  return kilobytes === undefined ? null : wholeNumber(kilobytes, 'MemAvailable') * 1024;
}

function availableMemory(): number {
  const system = parseAvailable(textOf('/proc/meminfo') ?? '') ?? freemem();
  // 0 where no control group limits it; otherwise the limit.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(system, constrained) : system;
}

/** How many files a /proc/self/limits lets a process open; null where it sets no limit. */
export function parseFileLimit(limits: string): number | null {
  const soft = /^Max open files +(\d{1,15}) /m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}

/** How many ports an `ip_local_port_range` holds; null for what is none. */
export function parsePortRange(range: string): number | null {
  const [, first, last] = /^\s*(\d{1,5})\s+(\d{1,5})\s*$/.exec(range) ?? [];
  const ports = Number(last) - Number(first) + 1;
  return ports > 0 ? ports : null;
}

async function hypervisor(): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  const { stdout, failed } = await execa('lscpu', { reject: false, env: { LC_ALL: 'C' } });
  return failed ? null : parseHypervisor(stdout);
}

/** The vendor that an `lscpu` names; null on a machine of its own. */
export function parseHypervisor(lscpu: string): string | null {
  return /^Hypervisor vendor: *(\S.*)$/m.exec(lscpu)?.[1] ?? null;
}

async function gitState(): Promise<Machine['git']> {
  const git = (args: string[]) => execa('git', args, { cwd: ROOT, reject: false });
  const [head, status] = await Promise.all([
    git(['rev-parse', 'HEAD']),
    git(['status', '--porcelain']),
  ]);
  if (head.failed || status.failed) return null;
  return { revision: head.stdout, dirty: status.stdout !== '' };
}

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  version: z.string().default('unknown'),
});

function versionsOf(folders: string[]): Machine['versions'] {
  const versions: Record<string, string> = { node: process.versions.node };
  const packages = [BENCH, ...folders];
  for (const folder of packages) {
    const manifest = readManifest(join(folder, 'package.json'));
    for (const name of Object.keys(manifest?.dependencies ?? {})) {
      const installed = installedVersion(folder, name);
      if (installed !== null) versions[name] = installed;
    }
  }
  return versions;
}

/** The version of a package that what is in this folder uses; null where it is not installed. */
export function installedVersion(folder: string, name: string): string | null {
  const place = installedIn(folder, name);
  return place === null ? null : (readManifest(join(place, 'package.json'))?.version ?? null);
}

/** Whether what is in this folder uses a package, itself or through others, as they are installed. */
export function usesPackage(folder: string, name: string): boolean {
  const places = new Set([folder]);
  // What is added meanwhile is gone through too.
  for (const place of places) {
    const own = Object.keys(readManifest(join(place, 'package.json'))?.dependencies ?? {});
    if (own.includes(name)) return true;
    for (const each of own) {
      const next = installedIn(place, each);
      if (next !== null) places.add(realpathSync(next));
    }
  }
  return false;
}

function installedIn(folder: string, name: string): string | null {
  const paths = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? [];
  const places = paths.map((path) => join(path, name));
  return places.find((place) => existsSync(join(place, 'package.json'))) ?? null;
}

function readManifest(path: string) {
  return parseManifest(textOf(path) ?? '');
}

/** What a `package.json` says of versions; null for what is none. */
export function parseManifest(text: string) {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
