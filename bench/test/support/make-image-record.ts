import type { RunRecord } from '../../src/record/record.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeRecord, makeTarget } from './make-record.ts';
import { ownSuite } from './own-workloads.ts';

/** What an image takes, ms of CPU. */
export type ImageCosts = Record<string, number>;

const RATES: Record<string, number> = { served: 2.4, overloaded: 8, burst: 24 };

/** Costs as they were about once: libvips is cheap in any language. */
export const IMAGE_COSTS: ImageCosts = {
  'go-nfnt': 250,
  'go-vips': 50,
  'go-vips-shrink-on-load': 25,
  'php-imagick': 200,
  sharp: 50,
};

const LABELS: Record<string, string> = {
  'go-nfnt': 'Go, nfnt/resize',
  'go-vips': 'Go, libvips',
  'php-imagick': 'PHP, ImageMagick',
  sharp: 'Node, sharp',
};

/** The image servers of these names. */
export function imageTargets(names: readonly string[] = Object.keys(IMAGE_COSTS)): LocalTarget[] {
  return names.map((name) => {
    const main = Object.keys(LABELS).find((each) => name === each || name.startsWith(`${each}-`));
    const label = LABELS[main ?? ''] ?? name;
    if (name === main) return makeTarget(name, { suite: 'image', label });
    const variant = 'shrinking while decoding';
    const related = { variantOf: main ?? null, over: main ?? null, variant };
    return makeTarget(name, { suite: 'image', label: `${label} (${variant})`, ...related });
  });
}

/**
 * A record of the image servers in which an image takes so much: at the slowest one's 4 images a second, rates
 * are 2.4, 8 and 24. Whoever can't answer a rate answers as many as it can.
 */
export function makeImageRecord({
  costs = IMAGE_COSTS,
  vary = () => 1,
  windowS = 4,
}: {
  costs?: ImageCosts;
  /** How much dearer than that images of a server were in a launch. */
  vary?: (name: string, launch: number) => number;
  windowS?: number;
} = {}): RunRecord {
  const record = makeRecord(
    {
      suite: ownSuite('image'),
      targets: imageTargets(Object.keys(costs)),
      options: { topologies: ['single'], connections: 4, durationS: 24, sliceS: 4, launches: 3 },
      pilot: { kind: 'capacity', server: 'go-nfnt/single', perS: 4 },
    },
    ({ target, load }, launch) => {
      const ms = (costs[target] ?? 1) * vary(target, launch);
      const most = Math.round((1000 / ms) * windowS);
      const rate = RATES[load];
      const planned = rate === undefined ? most : Math.round(rate * windowS);
      const ok = Math.min(most, planned);
      const isBehind = ok < planned;
      const pace = { pace: { dropped: planned - ok } };
      const latency = load === 'limit' ? 4 * ms : isBehind ? 2000 : ms;
      return {
        ...{ ok, windowS, cpuUsPerResponse: ms * 1000, latenciesMs: [latency] },
        ...(load === 'limit' ? {} : pace),
        ...{ serverBytes: 100e6, peakBytes: target.startsWith('go-vips') ? 80e6 : 240e6 },
      };
    },
  );
  const judged = [160, 640].map((width) => ({
    request: `GET /image/file/landscape.jpg?w=${width}`,
    figures: { width, bytes: width * 100, psnr: width === 160 ? 33.6 : 34.5 },
  }));
  const servers = [...new Set(record.plan.cells.map(({ server }) => server))];
  const starts = servers.flatMap((server) => {
    return [0, 1, 2].map((launch) => ({ server, launch, bytes: 30e6, startNs: null, judged }));
  });
  return { ...record, starts };
}
