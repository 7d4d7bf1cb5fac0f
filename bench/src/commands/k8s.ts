import { FAILED, UserError } from '../base/errors.ts';
import { saveText } from '../base/files.ts';
import { absolute } from '../base/places.ts';
import { countedBy, planOf } from '../load/k6-script.ts';
import { listOf, manifestsOf, runInCluster } from '../load/k8s.ts';
import { TIMEOUT_NS } from '../plan/loads.ts';
import { clusterLoadSections } from '../report/machines-report.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/text.ts';
import { unverifiedExchange } from '../targets/exchange.ts';
import { type OtherCommand, startConsole, unlessInterrupted } from './command.ts';
import { requestsOf } from './servers.ts';

const USUAL = {
  duration: 30,
  connections: 1000,
  status: 200,
  pods: 1,
  namespace: 'default',
  image: 'grafana/k6:latest',
};

export const k8s: OtherCommand = {
  name: 'k8s',
  description:
    'sends requests at a rate from pods of Kubernetes, by k6-operator, to a service there',
  options: [
    ...(['url', 'rate', 'duration', 'connections', 'path', 'method', 'header', 'body'] as const),
    ...(['status', 'pods', 'namespace', 'image', 'storageClass', 'write'] as const),
  ],
  usual: USUAL,
  async perform({ given, refuse }, io) {
    const { url: [origin] = [], rate: [rate, ...others] = [], write } = given;
    if (origin === undefined) return refuse('give the address of a service with --url');
    if (rate?.kind !== 'per second' || others.length > 0) {
      return refuse('give one --rate, such as 500');
    }
    const { duration, connections, status, pods, namespace, image } = { ...USUAL, ...given };
    const name = `overhead-${io.backend.clock.date().getTime().toString(36)}`;
    const run = { name, namespace, pods, image, storageClass: given.storageClass ?? null };
    const expect = { status, headers: {}, body: { kind: 'any' } } as const;
    const requests = requestsOf(given).map((request) => {
      return unverifiedExchange({ request, weight: 1, expect });
    });
    const window = { ns: duration * 1e9 };
    const load = { requests, ratePerS: rate.perS, timeoutNs: TIMEOUT_NS, connections, window };
    const plan = planOf({ ...load, origin }, [...requests.keys()]);
    if (write !== undefined) {
      const list = listOf(manifestsOf(run, plan));
      const text = `${JSON.stringify(list, null, 2)}\n`;
      await saveText(absolute(write), text, 'manifest');
      io.stdout.write(`Apply it: kubectl apply --filename ${write}\n`);
      return 0;
    }
    using runConsole = startConsole(io);
    const { interrupts, backend, stdout, say } = runConsole;
    const watched = { signal: interrupts.soon, clock: backend.clock, say };
    const all = await unlessInterrupted(runConsole, () => runInCluster(run, plan, watched));
    const outputs = all.map(({ output }) => output);
    if (outputs.every((output) => output === null)) {
      throw new UserError('no pod returned a result', 'See what the operator says of its pods.');
    }
    const sections = clusterLoadSections(all, countedBy(outputs, plan));
    stdout.write(`${renderSections(sections, lookOf(stdout))}\n`);
    return outputs.includes(null) ? FAILED : 0;
  },
};
