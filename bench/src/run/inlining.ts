/** Whose code samples are in: V8 attributes inlined code to its caller, but counts samples by line of the source. */
import { sum } from 'simple-statistics';
import type { CpuProfile, Frame, Script } from '../system/inspector.ts';

/** A function, and its first and last line in its script, from 1. */
interface FunctionLines {
  name: string;
  from: number;
  to: number;
}

/** A function's share of a frame's time; null where nobody can tell which function. */
interface Share {
  frame: Frame | null;
  share: number;
}

/** How many levels of inlined calls are considered. */
const DEPTH = 3;

/** Which functions of a process call which, and the lines each was sampled at; most complete before inlining. */
export class CallGraph {
  readonly #callees = new Map<string, Map<string, Frame>>();
  readonly #ticks = new Map<string, number>();

  add(nodes: CpuProfile['nodes']): void {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    for (const { callFrame, children, positionTicks } of nodes) {
      const key = keyOf(callFrame);
      const callees = this.#callees.get(key) ?? new Map<string, Frame>();
      for (const child of children) {
        const called = byId.get(child)?.callFrame;
        if (called !== undefined) callees.set(keyOf(called), called);
      }
      this.#callees.set(key, callees);
      for (const { line, ticks } of positionTicks) {
        this.#ticks.set(`${key} ${line}`, this.ticksAt(callFrame, line) + ticks);
      }
    }
  }

  /** How often a function was sampled at a line as itself. */
  ticksAt(frame: Frame, line: number): number {
    return this.#ticks.get(`${keyOf(frame)} ${line}`) ?? 0;
  }

  /** The functions that one calls, directly or through a few others. */
  reachedFrom(frame: Frame): Frame[] {
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

/** For each node, the functions that the lines of its samples belong to: its own, if it has no samples at lines. */
export function inlinedShares(
  nodes: CpuProfile['nodes'],
  calls: CallGraph,
  scripts: readonly Script[],
  sourceOf: (url: string) => string | null,
): Map<number, Share[]> {
  const byId = new Map(scripts.map((script) => [script.scriptId, script]));
  const lines = new Map<string, FunctionLines[]>();
  // There are hundreds of scripts, and few are needed.
  const linesIn = (scriptId: string): FunctionLines[] => {
    const script = byId.get(scriptId);
    const found = lines.get(scriptId) ?? (script ? linesOf(script, sourceOf(script.url)) : []);
    lines.set(scriptId, found);
    return found;
  };
  const innermostAt = ({ scriptId }: Frame, line: number): FunctionLines | undefined => {
    const around = linesIn(scriptId).filter(({ from, to }) => from <= line && line <= to);
    return around.toSorted((a, b) => a.to - a.from - (b.to - b.from))[0];
  };
  const linesOfFrame = ({ scriptId, functionName, lineNumber }: Frame) => {
    const isFrame = ({ name, from }: FunctionLines) =>
      from === lineNumber + 1 && name === functionName;
    return linesIn(scriptId).find(isFrame);
  };
  const ownersAt = (frame: Frame, reached: Frame[], line: number): Share[] => {
    const self = linesOfFrame(frame);
    const here = innermostAt(frame, line);
    // Unless the function's own lines are known, nobody can tell which are not its own.
    if (self === undefined || here === self) return [{ frame, share: 1 }];
    const isInside = self.from <= line && line <= self.to;
    const isAt = (callee: Frame) => {
      const at = innermostAt(callee, line);
      return at !== undefined && at === linesOfFrame(callee);
    };
    const candidates = isInside ? [] : reached.filter(isAt);
    const [only = here ? { ...frame, functionName: here.name, lineNumber: here.from - 1 } : null] =
      candidates;
    if (candidates.length < 2) return [{ frame: only, share: 1 }];
    // In proportion to how often each was sampled there without being inlined.
    const ticks = candidates.map((each) => calls.ticksAt(each, line));
    const all = sum(ticks);
    if (all === 0) return [{ frame: null, share: 1 }];
    return candidates.map((each, place) => ({ frame: each, share: (ticks[place] ?? 0) / all }));
  };
  return new Map(
    nodes.map(({ id, callFrame, positionTicks }): [number, Share[]] => {
      const all = sum(positionTicks.map(({ ticks }) => ticks));
      if (all === 0) return [id, [{ frame: callFrame, share: 1 }]];
      const reached = calls.reachedFrom(callFrame);
      const shares = positionTicks.flatMap(({ line, ticks }) => {
        const owners = ownersAt(callFrame, reached, line);
        return owners.map(({ frame, share }) => ({ frame, share: (share * ticks) / all }));
      });
      return [id, shares];
    }),
  );
}

/** The functions of a script by their lines; none without a source. */
function linesOf({ functions }: Script, source: string | null): FunctionLines[] {
  if (source === null) return [];
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1;
  return functions.flatMap(({ functionName: name, ranges: [range] }): FunctionLines[] => {
    // The script as a whole is listed as a function that has run once.
    const isScript = range?.startOffset === 0 && range.endOffset >= source.trimEnd().length;
    if (range === undefined || isScript) return [];
    return [{ name, from: lineAt(range.startOffset), to: lineAt(range.endOffset) }];
  });
}

function keyOf({ scriptId, functionName, lineNumber }: Frame): string {
  return `${scriptId} ${lineNumber} ${functionName}`;
}
