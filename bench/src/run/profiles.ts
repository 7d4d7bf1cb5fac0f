/** What V8 reported of a server in a slice: which code its CPU time was spent in, and its garbage collections. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import type { RunningServer } from '../launch/server.ts';
import { type CodeOwner, mergeFunctions, type ProfiledFunction } from '../record/profile.ts';
import type { RunRecord, Slice } from '../record/record.ts';
import type { Collection, Frame, SampledProfile } from '../system/inspector.ts';
import { CallGraph, inlinedShares } from './inlining.ts';

type MeasuredSlice = Pick<Slice, 'cell' | 'launch' | 'measurement'>;

const CALL_GRAPHS = new WeakMap<RunningServer, CallGraph>();

/** A server's call graph, with what this profile adds to it. */
export function callGraphOf(server: RunningServer, { profile }: SampledProfile): CallGraph {
  const graph = CALL_GRAPHS.get(server) ?? new CallGraph();
  graph.add(profile.nodes);
  CALL_GRAPHS.set(server, graph);
  return graph;
}

/** Adds the time that the garbage collector ran inside the window of a slice to the record. */
export function addCollected(
  { cell, launch, measurement }: MeasuredSlice,
  collections: readonly Collection[],
  { collected }: Pick<RunRecord, 'collected'>,
): void {
  const insideNs = windowOf(measurement);
  const entry = entryOf(collected, { cell, launch, ns: 0 });
  for (const { beganNs, ns } of collections) {
    entry.ns += insideNs(beganNs, beganNs + ns);
  }
}

/** The entry for the cell and launch of this empty one, which is added if there is none. */
function entryOf<T extends Pick<Slice, 'cell' | 'launch'>>(entries: T[], empty: T): T {
  const known = entries.find(({ cell, launch }) => cell === empty.cell && launch === empty.launch);
  if (known === undefined) entries.push(empty);
  return known ?? empty;
}

/** How much time between two instants is inside the window of a slice, ns. */
function windowOf({ openedNs, windowNs }: Slice['measurement']) {
  return (fromNs: number, toNs: number) => {
    return Math.max(0, Math.min(toNs, openedNs + windowNs) - Math.max(fromNs, openedNs));
  };
}

/** The owner of a frame, its file and its line. */
type Attribution = Omit<ProfiledFunction, 'ns'>;
type PseudoOwner = Exclude<CodeOwner['kind'], 'package'>;

/** Adds what V8 sampled in a slice. Samples count for the time since the last: the sampler is late in a busy server. */
export function addSampled(
  { cell, launch, measurement }: MeasuredSlice,
  { profile, scripts, builtins }: SampledProfile,
  calls: CallGraph,
  attribute: (frame: Frame) => Attribution,
  { profiles }: Pick<RunRecord, 'profiles'>,
): void {
  const insideNs = windowOf(measurement);
  const entry = entryOf(profiles, { cell, launch, samples: 0, functions: [] });
  const { nodes, samples, timeDeltas, startTime } = profile;
  const nsByNode = new Map<number, number>();
  let atNs = startTime * 1000;
  for (const [index, delta] of timeDeltas.entries()) {
    const fromNs = atNs;
    atNs += delta * 1000;
    const lastedNs = insideNs(fromNs, atNs);
    if (lastedNs === 0) continue;
    entry.samples++;
    const node = samples[index] ?? 0;
    nsByNode.set(node, (nsByNode.get(node) ?? 0) + lastedNs);
  }
  const shares = inlinedShares(nodes, calls, scripts, (url) => sourceAt(url, builtins));
  const sampled = [...nsByNode].flatMap(([node, ns]) => {
    const own = shares.get(node) ?? [];
    return own.map(({ frame, share }) => {
      return { ...(frame ? attribute(frame) : AMBIGUOUS), ns: ns * share };
    });
  });
  entry.functions = mergeFunctions([...entry.functions, ...sampled]);
}

/** The source of a script; null if it is in no file. */
function sourceAt(url: string, builtins: SampledProfile['builtins']): string | null {
  if (url.startsWith('node:')) return builtins[url.slice('node:'.length)] ?? null;
  const path = pathOf(url);
  return path !== null && existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function inNoFile(name: string, kind: PseudoOwner): Attribution {
  return { owner: { kind }, name, file: null, line: null };
}

/** Of code that was inlined from one of several functions: nobody knows which. */
const AMBIGUOUS = inNoFile('(inlined)', 'unknown');

/** V8's names for what is not a function. */
const PSEUDO_FUNCTIONS = new Map<string, PseudoOwner>([
  ['(garbage collector)', 'collector'],
  ['(program)', 'program'],
  ['(idle)', 'idle'],
  ['(root)', 'unknown'],
]);
const NO_SCRIPT = '0';

/** Attributes the frames of a target in this folder. */
export function attributor(directory: string): (frame: Frame) => Attribution {
  const own = packageOf(realpathSync(directory))?.folder ?? null;
  return ({ functionName, scriptId, url, lineNumber }) => {
    const name = functionName === '' ? '(anonymous)' : functionName;
    const line = lineNumber < 0 ? null : lineNumber + 1;
    if (url.startsWith('node:')) return { owner: { kind: 'node' }, name, file: url, line };
    const path = pathOf(url);
    if (path === null) {
      const isNative = scriptId === NO_SCRIPT || url.startsWith('wasm:');
      const kind = PSEUDO_FUNCTIONS.get(functionName) ?? (isNative ? 'native' : 'generated');
      return inNoFile(name, kind);
    }
    const found = packageOf(dirname(path));
    if (found === null) return { owner: { kind: 'unknown' }, name, file: null, line };
    const { folder, ...of } = found;
    const owner: CodeOwner = folder === own ? { kind: 'own' } : { kind: 'package', ...of };
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

export function packageIn(text: string): z.infer<typeof manifestSchema> | null {
  return parseJson(text, manifestSchema);
}
