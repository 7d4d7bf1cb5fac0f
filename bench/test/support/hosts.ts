/** Other machines for tests: namespaces of networks and processes, each with an ssh server, on one switch. */
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { findProgram } from '../../src/system/on-path.ts';
import type { OwnPlace } from './leftovers.ts';
import { eventually } from './processes.ts';

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

/** A switch, this machine's own network on it, and hosts; disposing of it ends all that runs there. */
export interface Hosts extends AsyncDisposable {
  /** The command that runs this one where the hosts can be reached. */
  here(command: readonly string[]): [string, ...string[]];
  /** What has to be in the environment for ssh to find the hosts. */
  environment: Record<string, string>;
  /** The pids of what runs on a host, but for its ssh server. */
  running(name: string): string[];
  /** What is in the temporary folder of a host. */
  left(name: string): string[];
  /** Lets nothing through the cable of a host that has a slow one, or lets it through again. */
  hold(name: string, isHeld: boolean): void;
  /** Takes a host off the switch, or puts it on again. */
  plug(name: string, isOn: boolean): void;
  /** Kills all that runs on a host. */
  kill(name: string): void;
  /** Has this machine know another key of a host than it has. */
  changeKey(name: string): void;
  /** Runs a command on a host. */
  on(name: string, command: string): string;
}

/** The address of this machine on the switch. */
export const HERE = '10.99.0.1';

/** What hosts have beside the system's own. */
interface Provided {
  programs?: string[];
  /** Folders of programs. */
  folders?: string[];
  /** Those that let nobody in without a password. */
  locked?: string[];
  /** Those whose temporary folder has room for 1 MB. */
  small?: string[];
  /** Those whose cable delays what goes there and back by so many ms, and at random by up to so many more. */
  slow?: Record<string, { delayMs: number; jitterMs: number }>;
  /** Variables of sessions on a host, by its name. */
  environments?: Record<string, Record<string, string>>;
}

/** Starts hosts of these names. */
export async function startHosts(
  place: OwnPlace,
  names: string[],
  {
    programs = [],
    folders = [],
    locked = [],
    small = [],
    slow = {},
    environments = {},
  }: Provided = {},
): Promise<Hosts> {
  await using stack = new AsyncDisposableStack();
  const folder = join(place.folder, 'hosts');
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const program of programs) copyFileSync(found(program), join(bin, program));
  execaSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
  const config = join(folder, 'config');
  const known = join(folder, 'known_hosts');
  const all = [
    'User root',
    `IdentityFile ${folder}/key`,
    'IdentitiesOnly yes',
    `UserKnownHostsFile ${known}`,
  ];
  const entries = names.map((name, at) => `Host ${name}\n  HostName ${addressOf(at)}`);
  writeFileSync(config, [...entries, 'Host *', ...all.map((line) => `  ${line}`), ''].join('\n'));
  const own = join(folder, 'own');
  mkdirSync(own);
  writeFileSync(join(own, 'ssh'), `#!/bin/sh\nexec ${found('ssh')} -F ${config} "$@"\n`);
  chmodSync(join(own, 'ssh'), 0o755);

  const start = async (command: string) => {
    const way = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
    // Whoever kills the tests has killed the hosts too.
    const dying = ['--pdeathsig', 'KILL', 'unshare'];
    const child = execa(
      'setpriv',
      [...dying, ...way, 'sh', '-c', `ip link set lo up && ${command}`],
      {
        ...{ stdin: 'ignore', reject: false, env: { OVERHEAD_TEST_HOST: place.folder } },
      },
    );
    stack.defer(async () => {
      child.kill('SIGKILL');
      await child;
    });
    const inside = () => childOf(child.pid);
    await eventually(() => inside() !== null, 5000);
    const pid = inside();
    if (pid === null) throw new Error('no namespace');
    return { pid, kill: () => process.kill(pid, 'SIGKILL') };
  };
  const within = (pid: string | number, ...command: string[]) => {
    return ['nsenter', '--target', String(pid), '--net', ...command] as [string, ...string[]];
  };
  const run = ([file, ...args]: [string, ...string[]]) => execaSync(file, args).stdout;

  const environmentOf = (name: string, temporary: string) => {
    const PATH = [bin, ...folders, '/usr/bin', '/bin'].join(':');
    const all = { PATH, TMPDIR: temporary, ...environments[name] };
    return Object.entries(all)
      .map(([variable, value]) => `${variable}="${value}"`)
      .join(' ');
  };
  const here = await start('exec sleep infinity');
  run(
    within(
      here.pid,
      'sh',
      '-c',
      `ip link add switch type bridge && ip addr add ${HERE}/24 dev switch && ip link set switch up`,
    ),
  );
  const cables = new Map<string, (signal: 'SIGSTOP' | 'SIGCONT') => void>();
  const plugIn = async (
    { delayMs, jitterMs }: { delayMs: number; jitterMs: number },
    ends: (string | number)[],
  ) => {
    const args = [...ends, 'eth0', delayMs, jitterMs].map(String);
    const child = execa('setpriv', ['--pdeathsig', 'KILL', 'python3', SLOW_CABLE, ...args], {
      ...{ stdin: 'ignore', reject: false, buffer: false },
    });
    stack.defer(async () => {
      child.kill('SIGKILL');
      await child;
    });
    await once(child.stdout, 'data');
    return (signal: 'SIGSTOP' | 'SIGCONT') => void child.kill(signal);
  };
  const hosts = new Map<string, Awaited<ReturnType<typeof start>>>();
  for (const [at, name] of names.entries()) {
    const key = join(folder, `${name}.key`);
    execaSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const temporary = join(folder, name);
    mkdirSync(temporary);
    const options = {
      HostKey: key,
      AuthorizedKeysFile: locked.includes(name) ? '/dev/null' : `${folder}/key.pub`,
      ...{ PermitRootLogin: 'prohibit-password', PasswordAuthentication: 'no', StrictModes: 'no' },
      ...{
        UsePAM: 'no',
        PidFile: 'none',
        SetEnv: environmentOf(name, temporary),
      },
    };
    const args = Object.entries(options)
      .map(([word, value]) => `-o '${word} ${value}'`)
      .join(' ');
    const room = `mount -t tmpfs -o size=${small.includes(name) ? 1 : 500}m none ${temporary}`;
    const sshd = `${room} && mount -t tmpfs none /run && mkdir /run/sshd && exec ${SSHD} -D -f /dev/null ${args}`;
    const host = await start(sshd);
    hosts.set(name, host);
    const cable = slow[name];
    if (cable !== undefined)
      cables.set(name, await plugIn(cable, [here.pid, `port${at}`, host.pid]));
    const veth = `ip link add port${at} type veth peer name eth0 netns ${host.pid} && `;
    const add = `ip link set port${at} master switch up`;
    run(within(here.pid, 'sh', '-c', cable === undefined ? veth + add : add));
    run(
      within(
        host.pid,
        'sh',
        '-c',
        `ip addr add ${addressOf(at)}/24 dev eth0 && ip link set eth0 up`,
      ),
    );
    const text = `${addressOf(at)} ${readFileSync(`${key}.pub`, 'utf8')}`;
    writeFileSync(known, text, { flag: 'a' });
  }
  const hostOf = (name: string) => {
    const host = hosts.get(name);
    if (host === undefined) throw new Error(`no host ${name}`);
    return host;
  };
  const owned = stack.move();
  return {
    here: (command) => within(here.pid, ...command),
    environment: { PATH: `${own}:${place.environment.PATH}` },
    running: (name) => {
      const { pid } = hostOf(name);
      const all = execaSync(
        'nsenter',
        ['--target', String(pid), '--pid', '--mount', 'ps', '-eo', 'pid=,args='],
        { reject: false },
      );
      return all.stdout.split('\n').filter((line) => !/sshd|ps -eo|^\s*$/.test(line));
    },
    left: (name) => readdirSync(join(`/proc/${hostOf(name).pid}/root`, folder, name)),
    hold: (name, isHeld) => void cables.get(name)?.(isHeld ? 'SIGSTOP' : 'SIGCONT'),
    plug: (name, isOn) => {
      const at = names.indexOf(name);
      run(within(here.pid, 'ip', 'link', 'set', `port${at}`, isOn ? 'up' : 'down'));
    },
    kill: (name) => hostOf(name).kill(),
    changeKey: (name) => {
      const address = addressOf(names.indexOf(name));
      const lines = readFileSync(known, 'utf8')
        .split('\n')
        .filter((line) => !line.startsWith(`${address} `));
      writeFileSync(
        known,
        [`${address} ${readFileSync(`${folder}/key.pub`, 'utf8')}`, ...lines].join('\n'),
      );
    },
    on: (name, command) => {
      const { pid } = hostOf(name);
      return execaSync('nsenter', [
        '--target',
        String(pid),
        '--net',
        '--pid',
        '--mount',
        'sh',
        '-c',
        command,
      ]).stdout;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function addressOf(at: number): string {
  return `10.99.0.${at + 2}`;
}

function found(program: string): string {
  const path = findProgram([program]);
  if (path === null) throw new Error(`${program} is not here`);
  return path;
}

/** The first process that this one has started, as this machine numbers it. */
function childOf(pid: number | undefined): number | null {
  if (pid === undefined) return null;
  const text = execaSync('cat', [`/proc/${pid}/task/${pid}/children`], { reject: false }).stdout;
  return Number(text.trim().split(' ')[0]) || null;
}
