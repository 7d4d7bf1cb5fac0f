/** Other machines for tests: network and process namespaces, each with an ssh server, on one bridge. */
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { expect } from 'vitest';
import { findProgram } from '../../src/system/on-path.ts';
import { CLI, startCommand } from '../cli/harness.ts';
import type { OwnPlace } from './leftovers.ts';
import { eventually } from './processes.ts';
import { writerIn } from './temporary-folder.ts';

const SSHD = '/usr/sbin/sshd';
const SLOW_CABLE = join(import.meta.dirname, 'slow-cable.py');

/** Why no hosts can be made here; null where they can. */
export const NO_HOSTS = reasonWithout();

function reasonWithout(): string | null {
  if (!existsSync(SSHD)) return 'OpenSSH has no server here';
  if (findProgram(['python3']) === null) return 'Python, which a slow cable takes, is not here';
  const { exitCode } = execaSync('unshare', ['--net', '--pid', '--fork', '--mount-proc', 'true'], {
    reject: false,
  });
  return exitCode === 0 && userInfo().uid === 0 ? null : 'this user may make no namespaces';
}

export type Hosts = Awaited<ReturnType<typeof startHosts>>;

/** The address of this machine on the bridge. */
const HERE = '10.99.0.1';

interface Delay {
  delayMs: number;
  jitterMs: number;
}

/** What hosts have besides the system's own. */
interface Provided {
  programs?: string[];
  /** Folders of programs. */
  folders?: string[];
  /** Hosts whose temporary folder holds 1 MB. */
  small?: string[];
  /** The round-trip delay of a host's cable, and the most that chance adds to it. */
  slow?: Record<string, Delay>;
  environments?: Record<string, Record<string, string>>;
}

/** Starts hosts of these names on a bridge with this machine. Disposing of the result ends everything there. */
export async function startHosts(place: OwnPlace, names: string[], provided: Provided = {}) {
  const { programs = [], folders = [], small = [], slow = {} } = provided;
  await using stack = new AsyncDisposableStack();
  const folder = join(place.folder, 'hosts');
  const write = writerIn(folder);
  const writeProgram = (name: string, content: unknown) => chmodSync(write(name, content), 0o755);
  for (const name of programs) writeProgram(`bin/${name}`, readFileSync(found(name)));
  const config = join(folder, 'config');
  writeProgram('own/ssh', `#!/bin/sh\nexec ${found('ssh')} -F ${config} "$@"\n`);
  const makeKey = (file: string) => {
    execaSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, file)]);
    return readFileSync(join(folder, `${file}.pub`), 'utf8');
  };
  const userKey = makeKey('key');
  const entries = names.map((name, at) => `Host ${name}\n  HostName ${addressOf(at)}\n`);
  const shared = `Host *
  User root
  IdentityFile ${folder}/key
  IdentitiesOnly yes
  UserKnownHostsFile ${folder}/known_hosts
`;
  write('config', [...entries, shared].join(''));
  /** By address, what ssh expects. */
  const keys = new Map<string, string>();
  const expectKey = (address: string, key: string) => {
    keys.set(address, key);
    write('known_hosts', [...keys].map((each) => each.join(' ')).join(''));
  };

  /** A process that ends with the hosts, or with the tests if these are killed. */
  const startChild = (command: string[]) => {
    const child = execa('setpriv', ['--pdeathsig', 'KILL', ...command], {
      stdin: 'ignore',
      reject: false,
      buffer: false,
      env: { OVERHEAD_TEST_HOST: place.folder },
    });
    stack.defer(async () => {
      child.kill('SIGKILL');
      await child;
    });
    return child;
  };
  /** Runs a shell command in namespaces of its own, and returns its pid. */
  const startNamespace = async (command: string) => {
    const unshare = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const { pid } = startChild([...unshare, 'sh', '-c', `ip link set lo up && ${command}`]);
    await eventually(() => childOf(pid) !== null, 5000);
    const inside = childOf(pid);
    if (inside === null) throw new Error('no namespace');
    return inside;
  };
  const plugSlowCable = async ({ delayMs, jitterMs }: Delay, port: string, host: number) => {
    const ends = [here, port, host, 'eth0', delayMs, jitterMs].map(String);
    const child = startChild(['python3', SLOW_CABLE, ...ends]);
    await once(child.stdout, 'data');
    cables.set(host, child);
  };
  const sshdOf = (name: string) => {
    const hostKey = makeKey(`${name}.key`);
    const temporary = join(folder, name);
    const PATH = [join(folder, 'bin'), ...folders, '/usr/bin', '/bin'].join(':');
    const variables = { PATH, TMPDIR: temporary, ...provided.environments?.[name] };
    const environment = Object.entries(variables).map(([key, value]) => `${key}="${value}"`);
    const options = {
      HostKey: join(folder, `${name}.key`),
      AuthorizedKeysFile: `${folder}/key.pub`,
      PermitRootLogin: 'prohibit-password',
      PasswordAuthentication: 'no',
      StrictModes: 'no',
      UsePAM: 'no',
      PidFile: 'none',
      SetEnv: environment.join(' '),
    };
    const args = Object.entries(options).map(([key, value]) => `-o '${key} ${value}'`);
    const size = small.includes(name) ? '1m' : '500m';
    const mounts = `mount -t tmpfs -o size=${size} none ${temporary} && mount -t tmpfs none /run`;
    const sshd = `${SSHD} -D -f /dev/null ${args.join(' ')}`;
    const command = `mkdir ${temporary} && ${mounts} && mkdir /run/sshd && exec ${sshd}`;
    return { hostKey, command };
  };

  const cables = new Map<number, ReturnType<typeof startChild>>();
  const here = await startNamespace('exec sleep infinity');
  inNetwork(here, 'ip link add switch type bridge');
  inNetwork(here, `ip addr add ${HERE}/24 dev switch && ip link set switch up`);
  const hosts = new Map<string, { pid: number; address: string; port: string }>();
  for (const [at, name] of names.entries()) {
    const { hostKey, command } = sshdOf(name);
    const pid = await startNamespace(command);
    const [port, address, delay] = [`port${at}`, addressOf(at), slow[name]];
    if (delay) await plugSlowCable(delay, port, pid);
    else inNetwork(here, `ip link add ${port} type veth peer name eth0 netns ${pid}`);
    inNetwork(here, `ip link set ${port} master switch up`);
    inNetwork(pid, `ip addr add ${address}/24 dev eth0 && ip link set eth0 up`);
    expectKey(address, hostKey);
    hosts.set(name, { pid, address, port });
  }
  const hostOf = (name: string) => {
    const host = hosts.get(name);
    if (host === undefined) throw new Error(`no host ${name}`);
    return host;
  };
  const enter = (name: string, command: string[], reject = true) => {
    const namespaces = ['--target', `${hostOf(name).pid}`, '--net', '--pid', '--mount'];
    return execaSync('nsenter', [...namespaces, ...command], { reject }).stdout;
  };
  /** The processes of a host except its ssh server, as `ps` prints them. */
  const running = (name: string) => {
    const lines = enter(name, ['ps', '-eo', 'pid=,args='], false).split('\n');
    return lines.filter((line) => !/sshd|ps -eo|^\s*$/.test(line));
  };
  const filesOn = (name: string) => {
    return readdirSync(join(`/proc/${hostOf(name).pid}/root`, folder, name));
  };
  const owned = stack.move();
  return {
    /** Starts the command line on this machine, where it can reach the hosts. */
    start: (args: string[], cwd?: string) => {
      const command = ['--target', `${here}`, '--net', process.execPath, CLI, ...args];
      const environment = { PATH: `${join(folder, 'own')}:${place.environment.PATH}` };
      return startCommand(place, ['nsenter', ...command], environment, cwd);
    },
    running,
    /** Expects that soon nothing runs on these hosts, and that their temporary folders are empty. */
    untilClean: async (these: string[], timeoutMs = 5000) => {
      const left = () => these.flatMap((name) => [...running(name), ...filesOn(name)]);
      await eventually(() => left().length === 0, timeoutMs);
      expect(left()).toEqual([]);
    },
    /** Stops the traffic of a host that has a slow cable, or lets it through again. */
    hold: (name: string, isHeld: boolean) => {
      cables.get(hostOf(name).pid)?.kill(isHeld ? 'SIGSTOP' : 'SIGCONT');
    },
    /** Takes a host off the bridge, or puts it back. */
    plug: (name: string, isOn: boolean) => {
      inNetwork(here, `ip link set ${hostOf(name).port} ${isOn ? 'up' : 'down'}`);
    },
    /** Makes ssh on this machine expect another key of a host than it has. */
    changeKey: (name: string) => expectKey(hostOf(name).address, userKey),
    /** Runs a shell command on a host, and returns its output. */
    on: (name: string, command: string) => enter(name, ['sh', '-c', command]),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function addressOf(at: number): string {
  return `10.99.0.${at + 2}`;
}

function inNetwork(pid: number, command: string): void {
  execaSync('nsenter', ['--target', `${pid}`, '--net', 'sh', '-c', command]);
}

function found(program: string): string {
  const path = findProgram([program]);
  if (path === null) throw new Error(`${program} is not here`);
  return path;
}

/** The first child of a process, by its pid on this machine. */
function childOf(pid: number | undefined): number | null {
  if (pid === undefined) return null;
  const text = execaSync('cat', [`/proc/${pid}/task/${pid}/children`], { reject: false }).stdout;
  return Number(text.trim().split(' ')[0]) || null;
}
