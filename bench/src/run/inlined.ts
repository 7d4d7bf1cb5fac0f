/**
 * Whose lines the samples of a function were at. V8 charges what it finds in an inlined function to the function
 * that it is inlined in, but counts the very lines.
 */
import { sum } from 'simple-statistics';
import type { CpuProfile, Frame, Script } from '../system/inspector.ts';

/** A function by its lines in its script, from 1. */
interface Lines {
  name: string;
  from: number;
  to: number;
}

/** How much of a node's time is a function's; null where that could not be told. */
export interface Share {
  frame: Frame | null;
  share: number;
}

/** How many calls deep functions are inlined, as far as is looked. */
const DEPTH = 3;

type Nodes = CpuProfile['nodes'];

/** What was seen of a process: which functions call which, and where each was found. It is seen best before they are inlined. */
export class Calls {
  readonly #callees = new Map<string, Map<string, Frame>>();
  readonly #seen = new Map<string, number>();

  /** Adds what a profile of the process shows. */
  learn(nodes: Nodes): void {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    for (const { callFrame, children, positionTicks } of nodes) {
      const key = keyOf(callFrame);
      const known = this.#callees.get(key) ?? new Map<string, Frame>();
      for (const child of children) {
        const called = byId.get(child)?.callFrame;
        if (called !== undefined) known.set(keyOf(called), called);
      }
      this.#callees.set(key, known);
      for (const { line, ticks } of positionTicks) {
        const place = `${key} ${line}`;
        this.#seen.set(place, (this.#seen.get(place) ?? 0) + ticks);
      }
    }
  }

  /** How often a function was found at a line, by itself. */
  seenAt(frame: Frame, line: number): number {
    return this.#seen.get(`${keyOf(frame)} ${line}`) ?? 0;
  }

  /** The functions that one calls, and those that they call, some calls deep. */
  from(frame: Frame): Frame[] {
    const reached = new Map<string, Frame>();
    let next = [frame];
    for (let depth = 0; depth < DEPTH; depth++) {
      const called = next.flatMap((each) => [...(this.#callees.get(keyOf(each))?.values() ?? [])]);
      next = called.filter((each) => !reached.has(keyOf(each)));
      for (const each of next) reached.set(keyOf(each), each);
    }
    reached.delete(keyOf(frame));
    return [...reached.values()];
  }
}

/** Of each node whose samples were at lines, whose those are; of others nothing. */
export function sharesOf(
  { nodes }: CpuProfile,
  calls: Calls,
  scripts: readonly Script[],
  sourceOf: (url: string) => string | null,
): Map<number, Share[]> {
  const byId = new Map(scripts.map((script) => [script.scriptId, script]));
  const lines = new Map<string, Lines[]>();
  // There are hundreds of scripts, of which few matter.
  const linesIn = (scriptId: string): Lines[] => {
    const script = byId.get(scriptId);
    const found = lines.get(scriptId) ?? (script ? linesOf(script, sourceOf(script.url)) : []);
    lines.set(scriptId, found);
    return found;
  };
  const innermost = (scriptId: string, line: number): Lines | null => {
    const around = linesIn(scriptId).filter(({ from, to }) => from <= line && line <= to);
    return around.toSorted((a, b) => a.to - a.from - (b.to - b.from))[0] ?? null;
  };
  const own = ({ scriptId, functionName, lineNumber }: Frame): Lines | null => {
    const named = linesIn(scriptId).filter(({ name, from }) => {
      return from === lineNumber + 1 && name === functionName;
    });
    return named[0] ?? null;
  };
  /** Whose the samples of a function at a line are, by its own lines and by what it reaches. */
  const whose = (frame: Frame, self: Lines | null, reached: Frame[], line: number): Share[] => {
    const here = innermost(frame.scriptId, line);
    // Without its lines nobody can tell what is not its own.
    if (self === null || here === self) return [{ frame, share: 1 }];
    const isAt = (callee: Frame) => {
      const at = innermost(callee.scriptId, line);
      return at !== null && at === own(callee);
    };
    const isInside = self.from <= line && line <= self.to;
    const candidates = isInside ? [] : reached.filter(isAt);
    const [first = here && frameOf(here, frame), ...others] = candidates;
    if (others.length === 0) return [{ frame: first, share: 1 }];
    // As often as each was seen there where it was not inlined.
    const times = candidates.map((each) => calls.seenAt(each, line));
    const all = sum(times);
    if (all === 0) return [{ frame: null, share: 1 }];
    return candidates.map((each, place) => ({ frame: each, share: (times[place] ?? 0) / all }));
  };
  const shares = new Map<number, Share[]>();
  for (const { id, callFrame, positionTicks } of nodes) {
    const all = sum(positionTicks.map(({ ticks }) => ticks));
    if (all === 0) continue;
    const [self, reached] = [own(callFrame), calls.from(callFrame)];
    const found = positionTicks.flatMap(({ line, ticks }) => {
      return whose(callFrame, self, reached, line).map(({ frame, share }) => {
        return { frame, share: (share * ticks) / all };
      });
    });
    shares.set(id, found);
  }
  return shares;
}

/** The functions of a script by their lines; none where there is no source. */
function linesOf({ functions }: Script, source: string | null): Lines[] {
  if (source === null) return [];
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1;
  return functions.flatMap(({ functionName: name, ranges: [range] }): Lines[] => {
    // All of a script is a function too, which has run once.
    const isAll = range?.startOffset === 0 && range.endOffset >= source.trimEnd().length;
    if (range === undefined || isAll) return [];
    return [{ name, from: lineAt(range.startOffset), to: lineAt(range.endOffset) }];
  });
}

function keyOf({ scriptId, functionName, lineNumber }: Frame): string {
  return `${scriptId} ${lineNumber} ${functionName}`;
}

function frameOf({ name, from }: Lines, { scriptId, url }: Frame): Frame {
  return { functionName: name, scriptId, url, lineNumber: from - 1 };
}
