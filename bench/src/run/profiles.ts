/** What V8 reported of a server in a slice: which code its CPU time was spent in, and its garbage collections. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { RunningServer } from '../launch/server.ts';
import type { CodeOwner, Profile, ProfiledFunction } from '../record/profile.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { Collection, Frame, SampledProfile } from '../system/inspector.ts';
import type { RunContext } from './context.ts';
import { CallGraph, inlinedShares } from './inlining.ts';

type MeasuredSlice = Pick<Slice, 'cell' | 'launch' | 'measurement'>;

/** A server's call graph, with what this profile adds to it. */
export function callGraphOf(
  server: RunningServer,
  { profile }: SampledProfile,
  { calls }: Pick<RunContext, 'calls'>,
): CallGraph {
  const graph = calls.get(server) ?? new CallGraph();
  graph.add(profile.nodes);
  calls.set(server, graph);
  return graph;
}

/** Adds what V8 sampled in a slice to the record. */
export function addSampled(
  { cell, launch, measurement }: MeasuredSlice,
  sampled: SampledProfile,
  server: RunningServer,
  running: Pick<RunContext, 'record' | 'calls'>,
): void {
  const graph = callGraphOf(server, sampled, running);
  const { openedNs, windowNs } = measurement;
  if (openedNs === null) return;
  const profile = entryOf(running.record.profiles, { cell, launch, samples: 0, functions: [] });
  const attribute = attributor(server.spec.target.directory);
  addProfile(profile, sampled, { openedNs, ns: windowNs }, graph, attribute);
}

/** Adds the time that the garbage collector ran inside the window of a slice to the record. */
export function addCollected(
  { cell, launch, measurement }: MeasuredSlice,
  collections: readonly Collection[],
  { collected }: Pick<RunRecord, 'collected'>,
): void {
  const { openedNs, windowNs } = measurement;
  if (openedNs === null) return;
  const entry = entryOf(collected, { cell, launch, ns: 0 });
  for (const { beganNs, ns } of collections) {
    entry.ns += insideNs({ openedNs, ns: windowNs }, beganNs, beganNs + ns);
  }
}

/** The entry for the cell and launch of this empty one, which is added if there is none. */
function entryOf<T extends Pick<Slice, 'cell' | 'launch'>>(entries: T[], empty: T): T {
  const known = entries.find(({ cell, launch }) => cell === empty.cell && launch === empty.launch);
  if (known === undefined) entries.push(empty);
  return known ?? empty;
}

/** A window on the monotonic clock, ns. */
interface Window {
  openedNs: number;
  ns: number;
}

/** How much of the time between these instants lies inside a window, ns. */
function insideNs({ openedNs, ns }: Window, fromNs: number, toNs: number): number {
  return Math.max(0, Math.min(toNs, openedNs + ns) - Math.max(fromNs, openedNs));
}

/** The owner of a frame, its file and its line. */
type Attribution = Omit<ProfiledFunction, 'ns'>;

/** Of code that was inlined from one of several functions: nobody knows which. */
const AMBIGUOUS: Attribution = {
  owner: { kind: 'unknown' },
  name: '(inlined)',
  file: null,
  line: null,
};

/**
 * Adds the samples inside a window. Each counts for the time since the last one: the sampler is late in a busy server.
 */
export function addProfile(
  known: Profile,
  { profile, scripts, builtins }: SampledProfile,
  window: Window,
  calls: CallGraph,
  attribute: (frame: Frame) => Attribution,
): void {
  const { nodes, samples, timeDeltas, startTime } = profile;
  const inlined = inlinedShares(profile, calls, scripts, (url) => sourceAt(url, builtins));
  const byNode = new Map(
    nodes.map(({ id, callFrame }) => {
      const shares = inlined.get(id) ?? [{ frame: callFrame, share: 1 }];
      return [
        id,
        shares.map(({ frame, share }) => ({ share, at: frame ? attribute(frame) : AMBIGUOUS })),
      ];
    }),
  );
  const functions = new Map(known.functions.map((each) => [keyOf(each), each]));
  let atNs = startTime * 1000;
  for (const [index, delta] of timeDeltas.entries()) {
    const fromNs = atNs;
    atNs += delta * 1000;
    const lastedNs = insideNs(window, fromNs, atNs);
    if (lastedNs === 0) continue;
    known.samples++;
    for (const { at, share } of byNode.get(samples[index] ?? 0) ?? []) {
      const entry = functions.get(keyOf(at)) ?? { ...at, ns: 0 };
      entry.ns += lastedNs * share;
      functions.set(keyOf(at), entry);
    }
  }
  known.functions = [...functions.values()];
}

/** The source of a script; null if it is in no file. */
function sourceAt(url: string, builtins: SampledProfile['builtins']): string | null {
  if (url.startsWith('node:')) return builtins[url.slice('node:'.length)] ?? null;
  const path = pathOf(url);
  return path !== null && existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function keyOf({ owner, name, file, line }: Attribution): string {
  return JSON.stringify([owner, name, file, line]);
}

/** V8's names for what is not a function. */
const PSEUDO_FUNCTIONS = new Map<string, 'collector' | 'program' | 'idle' | 'unknown'>([
  ['(garbage collector)', 'collector'],
  ['(program)', 'program'],
  ['(idle)', 'idle'],
  ['(root)', 'unknown'],
]);
/** The script id of functions that have no script. */
const NO_SCRIPT = '0';

/** Attributes the frames of a target in this folder. */
export function attributor(directory: string): (frame: Frame) => Attribution {
  const own = packageOf(realpathSync(directory))?.folder ?? null;
  return ({ functionName, scriptId, url, lineNumber }) => {
    const name = functionName === '' ? '(anonymous)' : functionName;
    const line = lineNumber < 0 ? null : lineNumber + 1;
    const inNoFile = (owner: CodeOwner): Attribution => ({ owner, name, file: null, line: null });
    if (url.startsWith('node:')) return { owner: { kind: 'node' }, name, file: url, line };
    const path = pathOf(url);
    if (path === null) {
      const kind = PSEUDO_FUNCTIONS.get(functionName);
      if (kind !== undefined) return inNoFile({ kind });
      const isNative = scriptId === NO_SCRIPT || url.startsWith('wasm:');
      return inNoFile({ kind: isNative ? 'native' : 'generated' });
    }
    const found = packageOf(dirname(path));
    if (found === null) return { owner: { kind: 'unknown' }, name, file: null, line };
    const { folder, name: of, version } = found;
    const owner: CodeOwner =
      folder === own ? { kind: 'own' } : { kind: 'package', name: of, version };
    return { owner, name, file: relative(folder, path), line };
  };
}

/** The file of a script; null if it is in none, whatever its URL says. */
function pathOf(url: string): string | null {
  if (!url.startsWith('file://')) return url.startsWith('/') ? url : null;
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

const manifestSchema = z.object({ name: z.string(), version: z.string().default('') });
type Package = z.infer<typeof manifestSchema> & { folder: string };
const packages = new Map<string, Package | null>();

/** The package that a folder belongs to: that of the nearest `package.json` with a name. */
function packageOf(folder: string): Package | null {
  const known = packages.get(folder);
  if (known !== undefined) return known;
  const path = join(folder, 'package.json');
  const manifest = existsSync(path) ? packageIn(readFileSync(path, 'utf8')) : null;
  const above = dirname(folder);
  const inherited = () => (above === folder ? null : packageOf(above));
  const found = manifest ? { folder, ...manifest } : inherited();
  packages.set(folder, found);
  return found;
}

/** The package that the text of a `package.json` declares; null if it declares none. */
export function packageIn(text: string): z.infer<typeof manifestSchema> | null {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
