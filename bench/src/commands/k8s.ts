import { resolve } from 'node:path';
import { UserError } from '../base/errors.ts';
import { FAILED, WRONG } from '../base/exit-codes.ts';
import { standing } from '../base/places.ts';
import { saveText } from '../base/text-file.ts';
import { countedBy, planOf } from '../load/k6-loop.ts';
import { runInCluster } from '../load/k8s.ts';
import { type K8sRun, manifestsOf } from '../load/k8s-manifests.ts';
import { TIMEOUT_NS } from '../plan/loads.ts';
import { clusterLoadSections } from '../report/k8s-report.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import { declaredOnly, type Exchange } from '../targets/exchange.ts';
import { startConsole } from './carry-out.ts';
import type { OtherCommand } from './command.ts';
import { requestsOf } from './named-servers.ts';

const NAMESPACE = 'default';
const IMAGE = 'grafana/k6:latest';
const DURATION_S = 30;
const CONNECTIONS = 1000;

/** Load from the pods of a cluster, on a service of it. */
export const k8s: OtherCommand = {
  name: 'k8s',
  description:
    'sends requests at a rate from pods of Kubernetes, by k6-operator, to a service there',
  options: [
    ...([
      'url',
      'rate',
      'duration',
      'connections',
      'path',
      'method',
      'header',
      'body',
      'status',
    ] as const),
    ...(['pods', 'namespace', 'image', 'storageClass', 'write'] as const),
  ],
  operands: null,
  usual: {
    ...{ duration: DURATION_S, connections: CONNECTIONS, path: '/', method: 'GET', status: 200 },
    ...{
      pods: 1,
      namespace: NAMESPACE,
      image: IMAGE,
      storageClass: "the cluster's own",
      write: 'none',
    },
  },
  async perform({ given, refuse }, io) {
    const { url: [origin] = [], rate: [rate, ...others] = [], status = 200, write } = given;
    if (origin === undefined) return refuse('give the address of a service with --url');
    if (rate?.kind !== 'per second' || others.length > 0) return refuse('give one --rate, as 500');
    const run: K8sRun = {
      name: `overhead-${io.backend.clock.date().getTime().toString(36)}`,
      namespace: given.namespace ?? NAMESPACE,
      pods: given.pods ?? 1,
      image: given.image ?? IMAGE,
      storageClass: given.storageClass ?? null,
    };
    const requests = requestsOf(given, standing()).map((request): Exchange => {
      return { request, weight: 1, expect: { status, headers: {}, body: { kind: 'any' } } };
    });
    const order = {
      ...{
        origin,
        requests: requests.map(declaredOnly),
        ratePerS: rate.perS,
        timeoutNs: TIMEOUT_NS,
      },
      connections: given.connections ?? CONNECTIONS,
      window: { ns: (given.duration ?? DURATION_S) * 1e9 },
    };
    const plan = planOf(
      order,
      order.requests.map((_, place) => place),
    );
    if (write !== undefined) {
      const path = resolve(standing(), write);
      const list = { apiVersion: 'v1', kind: 'List', items: manifestsOf(run, plan) };
      await saveText(path, `${JSON.stringify(list, null, 2)}\n`, 'manifest');
      io.stdout.write(`Apply it: kubectl apply --filename ${write}\n`);
      return 0;
    }
    using runConsole = startConsole(io);
    const { interrupts, say } = runConsole;
    const watched = {
      loadNs: plan.durationNs,
      signal: interrupts.soon,
      clock: io.backend.clock,
      say,
    };
    try {
      const pods = await runInCluster(run, plan, watched);
      if (pods.every(({ told }) => told === null)) {
        throw new UserError('no pod has told anything', 'See what the operator says of its pods.');
      }
      const counted = countedBy(
        pods.map(({ told }) => told),
        order,
        plan,
      );
      io.stdout.write(`${renderSections(clusterLoadSections(pods, counted), lookOf(io.stdout))}\n`);
      return pods.some(({ told }) => told === null) ? FAILED : 0;
    } catch (error) {
      if (!interrupts.soon.aborted) throw error;
      return interrupts.exitCode() ?? WRONG;
    }
  },
};
