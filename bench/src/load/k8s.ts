/** The only file that knows kubectl's command line. */
import { execa } from 'execa';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import type { Clock } from './clock.ts';
import { type K6Told, parseTold } from './k6-told.ts';
import { type K8sRun, manifestsOf, RESULTS_FOLDER, readerOf } from './k8s-manifests.ts';

/** Beside the load itself, pods have so long to be scheduled, to start, and to end, ns. */
const SLACK_NS = 300e9;
const POLL_NS = 2e9;

const testRunSchema = z.object({ status: z.object({ stage: z.string().optional() }).optional() });
/** Of a pod without a summary nothing is known. */
export interface PodTold {
  pod: string;
  told: K6Told | null;
}

interface Watched {
  /** How long the load takes by itself, ns. */
  loadNs: number;
  signal: AbortSignal;
  clock: Clock;
  say(text: string): void;
}

/**
 * Applies a load, waits until all of its pods are done, and reads what each has told; then removes all that was made for
 * it, whatever became of it. @throws UserError where kubectl fails, the operator gives it up, or it takes too long.
 */
export async function runInCluster(
  run: K8sRun,
  plan: object,
  { loadNs, signal, clock, say }: Watched,
): Promise<PodTold[]> {
  const made = manifestsOf(run, plan);
  try {
    await kubectl(run, ['apply', '--filename', '-'], { input: listOf(made), signal });
    say(`Applied ${run.name} in the namespace ${run.namespace}: ${run.pods} pods.`);
    await untilFinished(run, clock.now() + loadNs + SLACK_NS, clock, signal);
    await kubectl(run, ['apply', '--filename', '-'], { input: listOf([readerOf(run)]), signal });
    await kubectl(
      run,
      ['wait', `pod/${run.name}-reader`, '--for=condition=Ready', '--timeout=120s'],
      { signal },
    );
    return await readAll(run, signal);
  } finally {
    const all = listOf([...made, readerOf(run)]);
    await kubectl(run, ['delete', '--ignore-not-found', '--filename', '-'], { input: all });
  }
}

async function untilFinished(
  run: K8sRun,
  deadlineNs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let stage = 'not there';
  while (clock.now() < deadlineNs) {
    const text = await kubectl(run, ['get', `testrun/${run.name}`, '--output', 'json'], { signal });
    stage = testRunSchema.parse(JSON.parse(text)).status?.stage ?? stage;
    if (stage === 'finished') return;
    if (stage === 'error') break;
    await clock.sleep(POLL_NS, signal);
  }
  throw new UserError(
    `the operator did not finish ${run.name}: its stage is "${stage}"`,
    `See \`kubectl describe testrun ${run.name} --namespace ${run.namespace}\` in another run: what was made is removed.`,
  );
}

/** What each pod has written; a pod that has written no summary is lost. */
async function readAll(run: K8sRun, signal: AbortSignal): Promise<PodTold[]> {
  const within = (...command: string[]) => {
    return kubectl(run, ['exec', `${run.name}-reader`, '--', ...command], { signal });
  };
  const names = (await within('ls', RESULTS_FOLDER)).split('\n').map((name) => name.trim());
  const pods = new Set(
    names.flatMap((name) => /^(.+)\.(?:console|summary)$/.exec(name)?.[1] ?? []),
  );
  const all: PodTold[] = [];
  for (const pod of pods) {
    const file = (kind: string) => `${RESULTS_FOLDER}/${pod}.${kind}`;
    const isWhole = names.includes(`${pod}.summary`) && names.includes(`${pod}.console`);
    const text = isWhole ? await within('cat', file('summary'), file('console')) : null;
    all.push({ pod, told: text === null ? null : parseTold(text) });
  }
  const missing = Math.max(0, run.pods - all.length);
  const unseen = Array.from({ length: missing }, () => ({ pod: 'never started', told: null }));
  return [...all, ...unseen];
}

function listOf(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

async function kubectl(
  { namespace }: K8sRun,
  args: string[],
  { input = '', signal }: { input?: string; signal?: AbortSignal },
): Promise<string> {
  const result = await execa('kubectl', ['--namespace', namespace, ...args], {
    ...{ input, reject: false, ...(signal && { cancelSignal: signal }) },
  });
  signal?.throwIfAborted();
  if (!result.failed) return result.stdout;
  throw new UserError(
    `kubectl ${args[0]} failed: ${result.stderr.trim() || result.shortMessage}`,
    'See that kubectl is here, reaches the cluster, and that k6-operator runs in it.',
  );
}
