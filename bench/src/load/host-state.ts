/** What the machines of a run have, as `host.sh` prints it, and what is in the way of load. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { orUserError } from '../base/errors.ts';
import { SRC } from '../base/places.ts';
import { parseList } from '../system/proc-files.ts';
import { overSsh } from '../system/ssh.ts';
import type { Need } from '../targets/needs.ts';
import { DRIVERS } from './drivers.ts';

const count = z.coerce.number().pipe(z.int().min(0));
/** Null for this text, by default that of a line without a value. */
const orNull = <T extends z.ZodType>(schema: T, text = '') =>
  z.union([z.literal(text).transform(() => null), schema]);

const stateSchema = z.object({
  /** Its time of day, ns. */
  time: z.coerce.number().min(0),
  /** The address of the asking machine as this one sees it; null for the asking machine itself. */
  address: orNull(z.union([z.ipv4(), z.ipv6()])),
  k6: orNull(z.string()),
  node: orNull(z.stringFormat('version', /^v\d+\.\d+/)),
  /** The indices of the needs that it does not meet. */
  lacking: z.string().transform((text) => text.match(/\d+/g)?.map(Number) ?? []),
  cores: count,
  /** How many files a process may open; null for any number. */
  files: orNull(count, 'unlimited'),
  /** The first and the last local port, and which of them are reserved. */
  ports: orNull(z.stringFormat('ports', /^\d+\s+\d+$/)),
  reserved: z.string(),
  /** Closed connections that still occupy a port. */
  timeWait: orNull(count),
  /** How many connections may wait to be accepted. */
  backlog: orNull(count),
  synchronised: orNull(z.enum(['yes', 'no'])),
  governor: orNull(z.string()),
});

export type HostState = ReturnType<typeof parseHost>;

/** A machine that does not answer within this time is useless, ms. */
const LONGEST_MS = 30_000;

/** Inspects this machine, and these hosts also for these needs. @throws UserError if one can't be reached or read. */
export async function inspectHosts(
  hosts: readonly string[],
  needs: readonly Need[] = [],
): Promise<HostState[]> {
  const words = needs.map(({ any }) => any.join('|'));
  return await Promise.all([inspect(null, []), ...hosts.map((host) => inspect(host, words))]);
}

async function inspect(host: string | null, needs: readonly string[]): Promise<HostState> {
  const script = readFileSync(join(SRC, 'load/host.sh'), 'utf8');
  const command = ['sh', '-c', script, 'sh', ...needs];
  const [file, args] = host === null ? ['sh', command.slice(1)] : overSsh(host, command);
  // This machine may itself be reached over ssh.
  const env = { SSH_CONNECTION: '' };
  const options = { env, stdin: 'ignore', reject: false, timeout: LONGEST_MS } as const;
  const fromNs = Date.now() * 1e6;
  const result = await execa(file, args, options);
  const toNs = Date.now() * 1e6;
  const byHand = `Try it by hand: \`ssh ${host} true\`; it must not ask for anything.`;
  const next = host === null ? 'See that `sh` works here.' : byHand;
  return orUserError(host ?? 'this machine', next, () => {
    if (result.failed) throw new Error(result.stderr || result.shortMessage);
    return parseHost(host, result.stdout, fromNs, toNs);
  });
}

/** Parses the output of `host.sh`, which ran between these times of day here, ns. @throws when it can't be parsed. */
export function parseHost(name: string | null, text: string, fromNs: number, toNs: number) {
  const lines = text.trim().split('\n');
  const fields = lines.map((line) => line.split(/=(.*)/s).slice(0, 2));
  const parsed = stateSchema.safeParse(Object.fromEntries(fields));
  if (!parsed.success) throw new Error(`unexpected output: ${z.prettifyError(parsed.error)}`);
  const { time, ports, reserved, ...state } = parsed.data;
  return {
    /** Its name for ssh; null for this machine. */
    name,
    ...state,
    /** How many ports connections to one server may come from; null if unknown. */
    localPorts: ports === null ? null : countPorts(ports, reserved),
    /** How far its clock is ahead of this machine's, and the error of that. */
    clockAheadNs: time - (fromNs + toNs) / 2,
    clockErrorNs: (toNs - fromNs) / 2,
  };
}

/** The number of ports in `32768 60999` that are not in `8080,40000-40010`. */
function countPorts(range: string, reserved: string): number {
  const [first = 0, last = 0] = range.split(/\s+/).map(Number);
  const taken = reserved === '' ? [] : parseList(reserved);
  const inRange = taken.filter((port) => port >= first && port <= last);
  return Math.max(0, last - first + 1 - inRange.length);
}

/** Files that k6 opens beside its connections. */
const OTHER_FILES = 100;
/** The first Node that runs the harness without a build. */
const LEAST_NODE = '22.18';
/** A machine with more than this share of its ports in TIME_WAIT may run out of them. */
const TAKEN_SHARE = 0.5;
const OPENED_AT_ONCE = 511;

/** What a machine does: it sends with this program over this many connections, or (null) has the servers. */
export interface Role {
  sender: 'k6' | 'overhead' | null;
  connections: number;
}

/** What about a machine is in the way of its role: it disturbs load, or, if fatal, makes it impossible. */
export function problemsOf(state: HostState, { sender, connections }: Role) {
  const { name, k6, node, files, localPorts, timeWait, backlog, synchronised, governor } = state;
  const needed = connections + OTHER_FILES;
  const ports = sender === null ? null : localPorts;
  const problems: { isFatal: boolean; what: string; todo: string }[] = [];
  const found = (isFatal: boolean, what: string, todo: string) => {
    problems.push({ isFatal, what, todo });
  };
  if (sender === 'k6' && k6 === null) {
    found(true, 'k6 is not on its PATH', `Install it there: ${DRIVERS.k6.page}`);
  }
  const order = node?.localeCompare(`v${LEAST_NODE}`, 'en', { numeric: true }) ?? -1;
  if (name !== null && sender === null && order < 0) {
    const what = node === null ? 'node is not on its PATH' : `its Node is ${node}`;
    const where = 'where a shell without a terminal finds it';
    found(true, what, `Install Node ${LEAST_NODE} or later, ${where}.`);
  }
  if (files !== null && files < needed) {
    const where = 'ulimit -Hn, /etc/security/limits.conf';
    const what = `${connections} connections need ${needed} open files, and it allows ${files}`;
    found(true, what, `Raise the hard limit there (${where}), or give a lower -c.`);
  }
  if (ports !== null && ports < connections) {
    const what = `${connections} connections need a local port each, and it has ${ports}`;
    found(true, what, 'Widen net.ipv4.ip_local_port_range there, or give a lower -c.');
  }
  if (ports !== null && timeWait !== null && timeWait > TAKEN_SHARE * ports) {
    const what = `${timeWait} of its ${ports} local ports belong to connections in TIME_WAIT`;
    found(false, what, 'Wait a minute, or set net.ipv4.tcp_tw_reuse=1 there.');
  }
  if (sender === null && backlog !== null && backlog < OPENED_AT_ONCE) {
    const what = `no more than ${backlog} connections may wait there to be accepted`;
    found(false, what, `Set net.core.somaxconn=${OPENED_AT_ONCE} or more.`);
  }
  if (synchronised === 'no') {
    found(false, 'its clock is not synchronised', 'Start chrony or systemd-timesyncd there.');
  }
  if (governor !== null && governor !== 'performance') {
    const todo = 'Set another governor there: cpupower frequency-set -g performance';
    found(false, `its CPU frequency is governed by "${governor}"`, todo);
  }
  return problems;
}
