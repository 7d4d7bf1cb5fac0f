/** What a machine of a run has, as `host.sh` prints it, and which of it is not enough. */
import { z } from 'zod';

const count = z.coerce.number().pipe(z.int().min(0));
/** Of a line without a value. */
const orNull = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => null), schema]);

const stateSchema = z.object({
  /** The time of day there, ns. */
  time: z.coerce.number().min(0),
  /** At what address it sees the machine that asks; null where it is that. */
  address: orNull(z.union([z.ipv4(), z.ipv6()])),
  k6: orNull(z.string()),
  /** The version of its Node, as v24.1.0. */
  node: orNull(z.stringFormat('version', /^v\d+\.\d+/)),
  /** What it was asked for and is not there, by its number. */
  lacking: z.string().transform((text) => text.match(/\d+/g)?.map(Number) ?? []),
  cores: count,
  /** Files that a process may open; null for any number. */
  files: z.union([z.literal('unlimited').transform(() => null), count]),
  /** The first and the last port that connections may come from, and those of them that they may not. */
  ports: orNull(z.stringFormat('ports', /^\d+\s+\d+$/)),
  reserved: z.string(),
  /** Connections that are closed and still keep their port. */
  timeWait: orNull(count),
  /** Connections that may wait to be accepted. */
  backlog: orNull(count),
  synchronised: orNull(z.enum(['yes', 'no'])),
  governor: orNull(z.string()),
});

/** A machine of a run. */
export interface HostState
  extends Omit<z.infer<typeof stateSchema>, 'ports' | 'reserved' | 'time'> {
  /** As ssh takes it; null for this machine. */
  name: string | null;
  /** Ports that connections to one server may come from; null where it does not tell. */
  localPorts: number | null;
  /** By how much its clock is ahead of this machine's, and how far that may be off, ns. */
  clockAheadNs: number;
  clockErrorNs: number;
}

/** Reads what `host.sh` printed between these instants of this machine's clock, ns. @throws for what is none of that. */
export function parseHost(
  name: string | null,
  text: string,
  fromNs: number,
  toNs: number,
): HostState {
  const lines = text.trim().split('\n');
  const fields = lines.map((line) => line.split(/=(.*)/s).slice(0, 2));
  const parsed = stateSchema.safeParse(Object.fromEntries(fields));
  if (!parsed.success) throw new Error(`no state of a machine: ${z.prettifyError(parsed.error)}`);
  const { time, ports, reserved, ...state } = parsed.data;
  return {
    name,
    ...state,
    localPorts: ports === null ? null : countPorts(ports, reserved),
    clockAheadNs: time - (fromNs + toNs) / 2,
    clockErrorNs: (toNs - fromNs) / 2,
  };
}

/** How many ports are left of `32768 60999` without `8080,40000-40010`. */
function countPorts(range: string, reserved: string): number {
  const [first = 0, last = 0] = range.split(/\s+/).map(Number);
  const taken = reserved.split(',').reduce((sum, part) => {
    const [from = Number.NaN, to = from] = part.split('-').map(Number);
    const within = Math.min(last, to) - Math.max(first, from) + 1;
    return part === '' || Number.isNaN(within) ? sum : sum + Math.max(0, within);
  }, 0);
  return Math.max(0, last - first + 1 - taken);
}

/** Something of a machine that is in the way of load, or may be. */
export interface HostProblem {
  /** Whether the load can't be made with it. */
  isFatal: boolean;
  what: string;
  todo: string;
}

/** Files that k6 has open beside its connections. */
const OTHER_FILES = 100;
/** The first Node that runs the harness as it is. */
const LEAST_NODE = '22.18';
/** A machine with this share of its ports taken may run out of them. */
const TAKEN_SHARE = 0.5;
/** Connections that may be opened at the same time. */
const OPENED_AT_ONCE = 511;

/** What a machine is for: it sends over this many connections, or has the servers that get them. */
export interface Role {
  /** What sends there; null where the servers are. */
  sender: 'k6' | 'overhead' | null;
  connections: number;
}

/** What of a machine is in the way of its role. */
export function problemsOf(state: HostState, { sender, connections }: Role): HostProblem[] {
  const { name, k6, node, files, localPorts, timeWait, backlog, synchronised, governor } = state;
  const needed = connections + OTHER_FILES;
  const ports = sender === null ? null : localPorts;
  const problems: HostProblem[] = [];
  const found = (isFatal: boolean, what: string, todo: string) => {
    problems.push({ isFatal, what, todo });
  };
  if (sender === 'k6' && k6 === null) {
    const page = 'https://grafana.com/docs/k6/latest/set-up/install-k6';
    found(true, 'k6 is not on its PATH', `Install it there: ${page}`);
  }
  if (name !== null && sender === null && (node === null || !isEnough(node))) {
    const what = node === null ? 'node is not on its PATH' : `its Node is ${node}`;
    const where = 'where a shell without a terminal finds it';
    found(true, what, `Install Node ${LEAST_NODE} or later, ${where}.`);
  }
  if (files !== null && files < needed) {
    found(
      true,
      `${connections} connections need ${needed} open files, and it allows ${files}`,
      'Raise the hard limit there (ulimit -Hn, /etc/security/limits.conf), or give a lower -c.',
    );
  }
  if (ports !== null && ports < connections) {
    found(
      true,
      `${connections} connections need a local port each, and it has ${ports}`,
      'Widen net.ipv4.ip_local_port_range there, or give a lower -c.',
    );
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
    const todo = 'Start chrony or systemd-timesyncd there.';
    found(false, 'its clock is not synchronised', todo);
  }
  if (governor !== null && governor !== 'performance') {
    const todo = 'Set another governor there: cpupower frequency-set -g performance';
    found(false, `its CPU frequency is governed by "${governor}"`, todo);
  }
  return problems;
}

/** Whether a version of Node, as `v24.1.0`, is recent enough. */
function isEnough(version: string): boolean {
  return version.localeCompare(`v${LEAST_NODE}`, 'en', { numeric: true }) >= 0;
}
