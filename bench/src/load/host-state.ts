/** What a machine of a run has, as `host.sh` prints it, and what of it is too little. */
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
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.split(/=(.*)/s).slice(0, 2));
  const parsed = stateSchema.safeParse(Object.fromEntries(lines));
  if (!parsed.success) throw new Error(`no state of a machine: ${z.prettifyError(parsed.error)}`);
  const { time, ports, reserved, ...state } = parsed.data;
  return {
    ...{ name, ...state, localPorts: ports === null ? null : countPorts(ports, reserved) },
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
  /** Whether the load can't be made so. */
  isFatal: boolean;
  what: string;
  todo: string;
}

/** Files that k6 has open beside its connections. */
const OTHER_FILES = 100;
/** The first Node that runs the harness as it is. */
const LEAST_NODE = [22, 18] as const;
/** A machine whose ports are taken to this share may run out of them. */
const TAKEN_SHARE = 0.5;
/** Connections are opened so many at a time at most. */
const OPENED_AT_ONCE = 511;

/** What a machine is for: it sends over so many connections, or has the servers that get so many. */
export interface Role {
  /** What sends there; null where the servers are. */
  sender: 'k6' | 'overhead' | null;
  connections: number;
}

/** What of a machine is in the way of its role. */
export function problemsOf(state: HostState, { sender, connections }: Role): HostProblem[] {
  const { name, k6, node, files, localPorts, timeWait, backlog, synchronised, governor } = state;
  const sends = sender !== null;
  const needed = connections + OTHER_FILES;
  const problems: (HostProblem | false)[] = [
    sender === 'k6' &&
      k6 === null && {
        isFatal: true,
        what: 'k6 is not on its PATH',
        todo: 'Install it there: https://grafana.com/docs/k6/latest/set-up/install-k6',
      },
    name !== null &&
      sender === null &&
      !isEnough(node) && {
        isFatal: true,
        what: node === null ? 'node is not on its PATH' : `its Node is ${node}`,
        todo: `Install Node ${LEAST_NODE.join('.')} or later, so that a shell without a terminal finds it.`,
      },
    files !== null &&
      files < needed && {
        isFatal: true,
        what: `${connections} connections need ${needed} open files, and it allows ${files}`,
        todo: 'Raise the hard limit there (ulimit -Hn, /etc/security/limits.conf), or give a lower -c.',
      },
    sends &&
      localPorts !== null &&
      localPorts < connections && {
        isFatal: true,
        what: `${connections} connections need a local port each, and it has ${localPorts}`,
        todo: 'Widen net.ipv4.ip_local_port_range there, or give a lower -c.',
      },
    sends &&
      localPorts !== null &&
      timeWait !== null &&
      timeWait > TAKEN_SHARE * localPorts && {
        isFatal: false,
        what: `${timeWait} of its ${localPorts} local ports belong to connections in TIME_WAIT`,
        todo: 'Wait a minute, or set net.ipv4.tcp_tw_reuse=1 there.',
      },
    !sends &&
      backlog !== null &&
      backlog < OPENED_AT_ONCE && {
        isFatal: false,
        what: `no more than ${backlog} connections may wait there to be accepted`,
        todo: `Set net.core.somaxconn=${OPENED_AT_ONCE} or more.`,
      },
    synchronised === 'no' && {
      isFatal: false,
      what: 'its clock is not synchronised',
      todo: 'Start chrony or systemd-timesyncd there.',
    },
    governor !== null &&
      governor !== 'performance' && {
        isFatal: false,
        what: `its CPU frequency is governed by "${governor}"`,
        todo: 'Set another governor there: cpupower frequency-set -g performance',
      },
  ];
  return problems.filter((each) => each !== false);
}

function isEnough(version: string | null): boolean {
  const [major = 0, minor = 0] = (version ?? '').replace('v', '').split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
