/** Load from a cluster: what is applied, what pods print, and what is removed. The pods are k6 processes here. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manifestsOf } from '../../src/load/k8s.ts';
import { onPath } from '../../src/system/on-path.ts';
import { harnessPlace } from '../cli/harness.ts';
import { isRegistryWithinReach } from '../support/registry.ts';
import { serveHere } from './servers.ts';

const place = harnessPlace();
const FAKE = join(import.meta.dirname, '../support/fake-kubectl.mjs');
const PLACE = { name: 'overhead-1', namespace: 'load', storageClass: 'nfs' };
const RUN = { ...PLACE, pods: 3, image: 'grafana/k6:1.8.1' };

describe('pods of a cluster', () => {
  const cluster = join(place.folder, 'cluster');
  beforeEach(({ skip }) => {
    skip(!onPath('k6'), 'k6 is not on the PATH');
    rmSync(cluster, { recursive: true, force: true });
    mkdirSync(cluster);
    chmodSync(place.write('bin/kubectl', readFileSync(FAKE)), 0o755);
  });
  // Nothing stays, whatever became of it.
  afterEach(() => expect(existsSync(cluster) ? readdirSync(cluster) : []).toEqual([]));
  const k8s = (origin: string, fault = '', ...more: string[]) => {
    const PATH = `${join(place.folder, 'bin')}:${place.environment.PATH}`;
    const amounts = ['--rate', '300', '-d', '2', '-c', '90', '--pods', '3', '--namespace', 'load'];
    const environment = { PATH, FAKE_CLUSTER: cluster, FAKE_FAULT: fault };
    return place.start(['k8s', '--url', origin, ...amounts, ...more], environment);
  };

  test('send a rate together, and their requests are one ledger', async () => {
    await using server = await serveHere();
    const run = await k8s(server.origin).finished;
    expect(run.code, run.stderr).toBe(0);
    const [, planned, sent, dropped] =
      /Of ([\d,]+) planned requests ([\d,]+) were sent and ([\d,]+) dropped/.exec(run.stdout) ?? [];
    const numberOf = (text = '') => Number(text.replace(',', ''));
    expect(numberOf(planned)).toBe(numberOf(sent) + numberOf(dropped));
    expect(numberOf(planned)).toBeGreaterThan(0.9 * 600);
    expect(run.stdout.match(/^overhead-\S+-[123]-abcde/gm)).toHaveLength(3);
    expect(run.stdout).toMatch(/p50 \d/);
  });

  test('of which one is lost leave its share unknown', async () => {
    await using server = await serveHere();
    const run = await k8s(server.origin, 'lost').finished;
    expect(run.code).toBe(1);
    // On a busy machine k6 sends some more of the others' requests.
    expect(run.stdout).toMatch(/200 \(33\.\d %\) belong to pods that were lost/);
  });

  test('that the operator gives up are said so', async () => {
    await using server = await serveHere();
    const run = await k8s(server.origin, 'error').finished;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('its stage is "error"');
    await place.untilEmpty(15_000);
  });

  test('are removed when somebody ends it', async () => {
    await using server = await serveHere();
    const run = k8s(server.origin, '', '-d', '5');
    await run.untilSays('3 pods');
    run.signal('SIGINT');
    const { code } = await run.finished;
    expect(code).toBe(130);
    await place.untilEmpty(15_000);
  });

  test('are only written where that is asked for', async () => {
    const file = join(place.folder, 'load.json');
    const run = await k8s('http://service:8080', '', '--write', file).finished;
    expect(run).toMatchObject({ code: 0, stdout: `Apply it: kubectl apply --filename ${file}\n` });
    const { items } = JSON.parse(readFileSync(file, 'utf8'));
    const kinds = items.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(['ConfigMap', 'PersistentVolumeClaim', 'TestRun']);
  });
});

/** The version of k6-operator whose types are taken. */
const OPERATOR = 'v1.6.0';
const PATIENT = { timeout: 600_000 };
/** Decodes a TestRun into the operator's own type, and fails for a field that it does not know. */
const DECODER = join(import.meta.dirname, '../support/decode-test-run.go');
const CAN_FETCH = onPath('go') && isRegistryWithinReach();

test(
  "the operator's own types take the manifest, and no other field",
  PATIENT,
  async ({ skip }) => {
    skip(!CAN_FETCH, 'Go or the registry is not within reach');
    const folder = dirname(place.write('decoder/main.go', readFileSync(DECODER)));
    const { HOME = '' } = process.env;
    const go = (args: string[], input = '') => {
      const GOPATH = join(HOME, 'go');
      const env = { GOFLAGS: '-mod=mod -modcacherw', GOTOOLCHAIN: 'auto', GOPATH };
      return execa('go', args, { cwd: folder, input, reject: false, env });
    };
    await go(['mod', 'init', 'decoder']);
    const fetched = await go(['get', `github.com/grafana/k6-operator@${OPERATOR}`]);
    skip(fetched.exitCode !== 0, 'the modules of k6-operator are not within reach');
    expect(await go(['build', '-o', 'decoder', '.'])).toMatchObject({ exitCode: 0 });
    const [, , manifest] = manifestsOf(RUN, {});
    const decode = (value: object) => {
      return execa(join(folder, 'decoder'), { input: JSON.stringify(value), reject: false });
    };
    expect(await decode(manifest ?? {})).toMatchObject({ exitCode: 0, stdout: '3 script.mjs 4' });
    const other = { ...manifest, spec: { paralelism: 3 } };
    expect((await decode(other)).stderr).toContain('unknown field');
  },
);
