import type { InspectorResult } from '../../../src/system/inspector.ts';

/** The functions of a server on Node that does next to nothing, with their shares of all samples; some in no file. */
const ON_NODE = [
  { name: 'onRequest', url: 'node:_http_server', share: 0.6 },
  { name: 'writev', url: '', share: 0.3 },
  { name: '(garbage collector)', url: '', share: 0.1 },
];

const EVERY_NS = 1e6;
const COLLECTION_NS = 1e6;
const NO_SCRIPT = '0';

/** What is seen in a server: a garbage collection at the start, and its functions if it is sampled. */
export function watched(fromNs: number, toNs: number, isSampled: boolean): InspectorResult {
  const collections = [{ beganNs: fromNs, ns: COLLECTION_NS }];
  if (!isSampled) return { collections, sampled: null };
  // They repeat: of each hundred, every function has its share.
  const turn = ON_NODE.flatMap(({ share }, index) => {
    return Array.from({ length: Math.round(share * 100) }, () => index + 1);
  });
  const times = Math.floor((toNs - fromNs) / EVERY_NS);
  const samples = Array.from({ length: times }, (_, index) => turn[index % turn.length] ?? 0);
  const nodes = ON_NODE.map(({ name: functionName, url }, index) => ({
    id: index + 1,
    callFrame: { functionName, url, scriptId: url === '' ? NO_SCRIPT : url, lineNumber: 1 },
    children: [],
    positionTicks: [],
  }));
  const timeDeltas = samples.map(() => EVERY_NS / 1000);
  const profile = { nodes, samples, timeDeltas, startTime: fromNs / 1000 };
  return { collections, sampled: { profile, scripts: [], builtins: {} } };
}
