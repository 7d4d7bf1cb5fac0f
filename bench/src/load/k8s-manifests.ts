/** What Kubernetes is told: the load as a TestRun of k6-operator, its script, and a volume for what it sees. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SRC } from '../base/places.ts';

const SCRIPT = join(SRC, 'load/k6-script.mjs');
/** Where the volume is in each pod. */
export const RESULTS_FOLDER = '/results';
/** Each pod's own files there: the lines of its requests, and the summary. */
const CONSOLE = `${RESULTS_FOLDER}/$(POD_NAME).console`;
const SUMMARY = `${RESULTS_FOLDER}/$(POD_NAME).summary`;

/** How a load is spread in a cluster. */
export interface K8sRun {
  /** Of everything that is made for it. */
  name: string;
  namespace: string;
  /** Each sends an equal share. */
  pods: number;
  image: string;
  /** A class of volumes that pods on several nodes can write to; null for the cluster's own. */
  storageClass: string | null;
}

/** The manifests, in the order in which they are applied. */
export function manifestsOf(
  { name, namespace, pods, image, storageClass }: K8sRun,
  plan: object,
): object[] {
  const metadata = { name, namespace, labels: { app: 'overhead' } };
  const volume = { name: 'results', persistentVolumeClaim: { claimName: name } };
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { 'script.mjs': readFileSync(SCRIPT, 'utf8'), 'plan.json': JSON.stringify(plan) },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: {
        accessModes: ['ReadWriteMany'],
        resources: { requests: { storage: '10Gi' } },
        ...(storageClass === null ? {} : { storageClassName: storageClass }),
      },
    },
    {
      apiVersion: 'k6.io/v1alpha1',
      kind: 'TestRun',
      metadata,
      spec: {
        parallelism: pods,
        // A pod beside another one would share its cores.
        separate: true,
        script: { configMap: { name, file: 'script.mjs' } },
        runner: {
          image,
          env: [
            { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'K6_CONSOLE_OUTPUT', value: CONSOLE },
            { name: 'K6_LOG_FORMAT', value: 'raw' },
            { name: 'OVERHEAD_SUMMARY', value: SUMMARY },
          ],
          volumes: [volume],
          volumeMounts: [{ name: volume.name, mountPath: RESULTS_FOLDER }],
        },
        // It looks at the script alone, and has no volume.
        initializer: { image },
      },
    },
  ];
}

/** A pod that does nothing but hold the volume, so that files can be read. */
export function readerOf({ name, namespace, image }: K8sRun): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${name}-reader`, namespace, labels: { app: 'overhead' } },
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          ...{ name: 'reader', image, command: ['sleep', '3600'] },
          volumeMounts: [{ name: 'results', mountPath: RESULTS_FOLDER }],
        },
      ],
      volumes: [{ name: 'results', persistentVolumeClaim: { claimName: name } }],
    },
  };
}
