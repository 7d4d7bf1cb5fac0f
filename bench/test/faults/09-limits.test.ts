/** Row 9: too few file descriptors and too few local ports, before a run and in it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLI, expectAnswers, on, recordIn, SHORT, startCommand } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CAN_UNSHARE, startWithin } from './namespaces.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const saved = ['--out', out];
const RUN = ['frameworks', ...on(['ok'], 'single'), ...SHORT, ...saved];

test('-c 1000 with 256 descriptors is refused before anything is measured', async () => {
  const script = 'ulimit -n 256 && exec "$0" "$@"';
  const args = [...RUN, '-c', '1000', ...saved];
  const run = await startCommand(place, ['sh', '-c', script, process.execPath, CLI, ...args])
    .finished;
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(
    /1000 connections need \d+ file descriptors a process, and 256 are allowed/,
  );
  expect(run.stderr).toContain('ulimit -Hn');
});

/** A network of its own with so many ports for connections, each of which is taken for a minute after its end. */
function withPorts(count: number, args: string[]) {
  const settings = [
    'ip link set lo up',
    `echo '40000 ${40_000 + count - 1}' > /proc/sys/net/ipv4/ip_local_port_range`,
    'echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse',
  ];
  return startWithin(place, { kinds: ['--net'], commands: settings.join(' && ') }, args).finished;
}

test.runIf(CAN_UNSHARE)(
  'more connections than local ports are refused before anything is measured',
  async () => {
    const run = await withPorts(500, [...RUN, '-c', '501']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('501 connections to a server need a local port each');
    expect(run.stderr).toContain('this machine has 500');
    expect(run.stderr).toContain('net.ipv4.ip_local_port_range');
  },
);

test.runIf(CAN_UNSHARE)(
  'ports that run out in the run fail its cells with that, and are not blamed on the server',
  async () => {
    const run = await withPorts(150, [...RUN, '-c', '100']);
    const { state, failures } = recordIn(out);
    expect(state).toBe('complete');
    expect(failures.length).toBeGreaterThan(0);
    for (const { message, died } of failures) {
      expect(message).toContain('no local port is left for a connection (EADDRNOTAVAIL)');
      expect(died).toBe(false);
    }
    expect(run.code).not.toBe(0);
    expect(run.stdout).toContain('no local port is left for a connection');
  },
);

test.runIf(CAN_UNSHARE)('with ports enough the same run measures all', async () => {
  await withPorts(5000, [...RUN, '-c', '100']);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [], repeats: [] });
  expectAnswers(record);
});
