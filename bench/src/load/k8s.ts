/** Load from Kubernetes. The only file that knows kubectl's command line and the manifests of k6-operator. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import { SRC } from '../base/places.ts';
import type { Clock } from './clock.ts';
import { type K6Output, parseOutput } from './k6-script.ts';

/** Beside the load itself, pods have this long to be scheduled, to start and to end, ns. */
const SLACK_NS = 300e9;
const POLL_NS = 2e9;
/** Where each pod mounts the volume for results. */
const RESULTS = '/results';

/** How a load is spread in a cluster. */
export interface K8sRun {
  /** The name of everything that is created for it. */
  name: string;
  namespace: string;
  /** Each sends an equal share. */
  pods: number;
  image: string;
  /** A class of volumes that pods on several nodes can write to; null for the cluster's default. */
  storageClass: string | null;
}

/** The output of a pod; null if it was lost before it wrote its summary. */
export interface PodOutput {
  pod: string;
  output: K6Output | null;
}

/** The load as a TestRun, its script, and a volume for its output, in the order in which they are applied. */
export function manifestsOf(run: K8sRun, plan: object): object[] {
  const { name, pods, image, storageClass } = run;
  const script = readFileSync(join(SRC, 'load/k6-script.mjs'), 'utf8');
  const data = { 'script.mjs': script, 'plan.json': JSON.stringify(plan) };
  const own = `${RESULTS}/$(POD_NAME)`;
  const env = [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'K6_CONSOLE_OUTPUT', value: `${own}.console` },
    { name: 'K6_LOG_FORMAT', value: 'raw' },
    { name: 'OVERHEAD_SUMMARY', value: `${own}.summary` },
  ];
  return [
    manifestOf(run, 'v1', 'ConfigMap', { data }),
    manifestOf(run, 'v1', 'PersistentVolumeClaim', {
      spec: {
        accessModes: ['ReadWriteMany'],
        resources: { requests: { storage: '10Gi' } },
        ...(storageClass === null ? {} : { storageClassName: storageClass }),
      },
    }),
    manifestOf(run, 'k6.io/v1alpha1', 'TestRun', {
      spec: {
        parallelism: pods,
        // Pods on one node would share its cores.
        separate: true,
        script: { configMap: { name, file: 'script.mjs' } },
        runner: { image, env, ...mountOf(name) },
        // It only parses the script, without the volume.
        initializer: { image },
      },
    }),
  ];
}

/** A pod that only mounts the volume, so that its files can be read. */
function readerOf(run: K8sRun): object {
  const { volumes, volumeMounts } = mountOf(run.name);
  const command = ['sleep', '3600'];
  const containers = [{ name: 'reader', image: run.image, command, volumeMounts }];
  const reader = { ...run, name: `${run.name}-reader` };
  return manifestOf(reader, 'v1', 'Pod', { spec: { restartPolicy: 'Never', containers, volumes } });
}

function manifestOf({ name, namespace }: K8sRun, apiVersion: string, kind: string, body: object) {
  const metadata = { name, namespace, labels: { app: 'overhead' } };
  return { apiVersion, kind, metadata, ...body };
}

function mountOf(claimName: string) {
  return {
    volumes: [{ name: 'results', persistentVolumeClaim: { claimName } }],
    volumeMounts: [{ name: 'results', mountPath: RESULTS }],
  };
}

export function listOf(items: readonly object[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}

/** Applies a load, reads each pod's output, and cleans up. @throws UserError if kubectl or the operator fails. */
export async function runInCluster(
  run: K8sRun,
  plan: { durationNs: number },
  { signal, clock, say }: { signal: AbortSignal; clock: Clock; say(text: string): void },
): Promise<PodOutput[]> {
  const { name, namespace, pods } = run;
  const created = manifestsOf(run, plan);
  const reader = readerOf(run);
  const apply = (items: object[]) => kubectl(run, ['apply', '--filename', '-'], { items, signal });
  try {
    await apply(created);
    say(`Applied ${name} in the namespace ${namespace}: ${pods} pods.`);
    await untilFinished(run, clock.now() + plan.durationNs + SLACK_NS, clock, signal);
    await apply([reader]);
    const isReady = ['--for=condition=Ready', '--timeout=120s'];
    await kubectl(run, ['wait', `pod/${name}-reader`, ...isReady], { signal });
    return await readAll(run, signal);
  } finally {
    const items = [...created, reader];
    await kubectl(run, ['delete', '--ignore-not-found', '--filename', '-'], { items });
  }
}

const testRunSchema = z.object({ status: z.object({ stage: z.string().optional() }).optional() });

async function untilFinished(run: K8sRun, deadlineNs: number, clock: Clock, signal: AbortSignal) {
  const { name, namespace } = run;
  let stage = 'not there';
  while (clock.now() < deadlineNs) {
    const text = await kubectl(run, ['get', `testrun/${name}`, '--output', 'json'], { signal });
    stage = testRunSchema.parse(JSON.parse(text)).status?.stage ?? stage;
    if (stage === 'finished') return;
    if (stage === 'error') break;
    await clock.sleep(POLL_NS, signal);
  }
  throw new UserError(
    `the operator did not finish ${name}: its stage is "${stage}"`,
    `See \`kubectl describe testrun ${name} --namespace ${namespace}\` during another run: everything that was created is removed.`,
  );
}

/** The output of each pod; one without a summary is lost. */
async function readAll(run: K8sRun, signal: AbortSignal): Promise<PodOutput[]> {
  const exec = (...command: string[]) => {
    return kubectl(run, ['exec', `${run.name}-reader`, '--', ...command], { signal });
  };
  const files = new Set((await exec('ls', RESULTS)).split(/\s+/));
  const podOf = (file: string) => /^(.+)\.(?:console|summary)$/.exec(file)?.[1] ?? [];
  const pods = new Set([...files].flatMap(podOf));
  const all: PodOutput[] = [];
  for (const pod of pods) {
    const own = [`${pod}.summary`, `${pod}.console`];
    const isWhole = own.every((file) => files.has(file));
    const text = isWhole && (await exec('cat', ...own.map((file) => `${RESULTS}/${file}`)));
    all.push({ pod, output: text === false ? null : parseOutput(text) });
  }
  while (all.length < run.pods) all.push({ pod: 'never started', output: null });
  return all;
}

async function kubectl(
  { namespace }: K8sRun,
  args: string[],
  { items, signal }: { items?: object[]; signal?: AbortSignal },
): Promise<string> {
  const input = items === undefined ? '' : JSON.stringify(listOf(items));
  const options = { input, reject: false, ...(signal && { cancelSignal: signal }) } as const;
  const result = await execa('kubectl', ['--namespace', namespace, ...args], options);
  signal?.throwIfAborted();
  if (!result.failed) return result.stdout;
  throw new UserError(
    `kubectl ${args[0]} failed: ${result.stderr.trim() || result.shortMessage}`,
    'See that kubectl is here, reaches the cluster, and that k6-operator runs in it.',
  );
}
