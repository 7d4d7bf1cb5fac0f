/** Profiles of the V8 sampler → whom the time inside a window is charged to. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Charged, CodeOwner, Profile } from '../record/profile.ts';
import type { Frame, Sampled } from '../system/inspector.ts';
import { type Calls, sharesOf } from './inlined.ts';

/** A window on the monotonic clock, ns. */
export interface Window {
  openedNs: number;
  ns: number;
}

/** How much of what lasted from here to there was inside a window, ns. */
export function insideNs({ openedNs, ns }: Window, fromNs: number, toNs: number): number {
  return Math.max(0, Math.min(toNs, openedNs + ns) - Math.max(fromNs, openedNs));
}

/** Names that V8 gives to what is no function. */
const BY_NAME = new Map<string, 'collector' | 'program' | 'idle' | 'unknown'>([
  ['(garbage collector)', 'collector'],
  ['(program)', 'program'],
  ['(idle)', 'idle'],
  ['(root)', 'unknown'],
]);
/** The script of functions that have none. */
const NO_SCRIPT = '0';

/** Who owns a frame, with its file and line: whatever has a file by the package that it is in. */
export type Attribution = Omit<Charged, 'ns'>;

/**
 * What a profile saw inside a window: each sample counts as long as it was after the one before it, since
 * the sampler is late as often as the server is busy in one piece. Adds to what is known of the cell.
 */
export function addProfile(
  known: Profile,
  { profile, scripts, builtins }: Sampled,
  window: Window,
  calls: Calls,
  attributionOf: (frame: Frame) => Attribution,
): Profile {
  const { nodes, samples, timeDeltas, startTime } = profile;
  const shares = sharesOf(profile, calls, scripts, (url) => sourceAt(url, builtins));
  const charges = new Map(
    nodes.map(({ id, callFrame }) => {
      const own = shares.get(id) ?? [{ frame: callFrame, share: 1 }];
      const charge = (frame: Frame | null) => (frame ? attributionOf(frame) : UNTOLD);
      return [id, own.map(({ frame, share }) => ({ share, charge: charge(frame) }))];
    }),
  );
  const functions = new Map(known.functions.map((each) => [keyOf(each), each]));
  let count = known.samples;
  let atNs = startTime * 1000;
  for (const [index, delta] of timeDeltas.entries()) {
    const fromNs = atNs;
    atNs += delta * 1000;
    const lastedNs = insideNs(window, fromNs, atNs);
    if (lastedNs === 0) continue;
    for (const { charge, share } of charges.get(samples[index] ?? 0) ?? []) {
      const key = keyOf(charge);
      const before = functions.get(key);
      functions.set(key, { ...charge, ns: (before?.ns ?? 0) + lastedNs * share });
    }
    count++;
  }
  return { ...known, samples: count, functions: [...functions.values()] };
}

/** What was inlined from one of several functions, nobody knows which. */
const UNTOLD: Attribution = {
  owner: { kind: 'unknown' },
  name: '(inlined)',
  file: null,
  line: null,
};

/** The source of a script; null where it is in no file. */
function sourceAt(url: string, builtins: Sampled['builtins']): string | null {
  if (url.startsWith('node:')) return builtins[url.slice('node:'.length)] ?? null;
  const path = pathOf(url);
  return path !== null && existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function keyOf({ owner, name, file, line }: Attribution): string {
  return JSON.stringify([owner, name, file, line]);
}

/** Charges the frames of a target whose folder is this one. */
export function attributor(directory: string): (frame: Frame) => Attribution {
  const own = packageOf(realpathSync(directory))?.folder ?? null;
  return (frame) => {
    const { functionName, scriptId, url, lineNumber } = frame;
    const name = functionName === '' ? '(anonymous)' : functionName;
    const line = lineNumber < 0 ? null : lineNumber + 1;
    const without = (owner: CodeOwner): Attribution => ({ owner, name, file: null, line: null });
    if (url.startsWith('node:')) return { owner: { kind: 'node' }, name, file: url, line };
    const path = pathOf(url);
    if (path === null) {
      const kind = BY_NAME.get(functionName);
      if (scriptId === NO_SCRIPT || kind !== undefined) return without({ kind: kind ?? 'native' });
      return url.startsWith('wasm:') ? without({ kind: 'native' }) : without({ kind: 'generated' });
    }
    const found = packageOf(dirname(path));
    if (found === null) return { owner: { kind: 'unknown' }, name, file: null, line };
    const file = relative(found.folder, path);
    if (found.folder === own) return { owner: { kind: 'own' }, name, file, line };
    const { name: of, version } = found;
    return { owner: { kind: 'package', name: of, version }, name, file, line };
  };
}

/** The file of a script; null where it is in none, whatever it says of itself. */
function pathOf(url: string): string | null {
  if (!url.startsWith('file://')) return url.startsWith('/') ? url : null;
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

interface Package {
  folder: string;
  name: string;
  version: string;
}

const manifestSchema = z.object({ name: z.string(), version: z.string().default('') });
const packages = new Map<string, Package | null>();

/** The package that a folder is in: the nearest `package.json` that has a name. */
function packageOf(folder: string): Package | null {
  const known = packages.get(folder);
  if (known !== undefined) return known;
  const found =
    manifestIn(folder) ?? (dirname(folder) === folder ? null : packageOf(dirname(folder)));
  packages.set(folder, found);
  return found;
}

function manifestIn(folder: string): Package | null {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return null;
  const manifest = packageIn(readFileSync(path, 'utf8'));
  return manifest && { folder, ...manifest };
}

/** The package that a `package.json` says it is; null where it says nothing of it. */
export function packageIn(text: string): z.infer<typeof manifestSchema> | null {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
