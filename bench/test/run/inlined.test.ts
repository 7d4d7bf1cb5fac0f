import { describe, expect, test } from 'vitest';
import { Calls, sharesOf } from '../../src/run/inlined.ts';
import type { CpuProfile, Frame, Script } from '../../src/system/inspector.ts';

/** A handler that calls two small functions of other scripts, and one of its own. */
const SOURCES: Record<string, string> = {
  'app.js': ['// the app', 'function own() {', '}', 'function handle() {', '  all();', '}'].join(
    '\n',
  ),
  'lib.js': ['', '', '', '', '', '', 'function small() {', '  add();', '}'].join('\n'),
  'other.js': ['', '', '', '', '', '', 'function tiny() {', '  add();', '}'].join('\n'),
};

function scriptOf(scriptId: string, url: string, ...names: string[]): Script {
  const source = SOURCES[url] ?? '';
  return {
    scriptId,
    url,
    functions: names.map((functionName) => {
      const startOffset = source.indexOf(`function ${functionName}`);
      return {
        functionName,
        ranges: [{ startOffset, endOffset: source.indexOf('}', startOffset) }],
      };
    }),
  };
}

const SCRIPTS = [
  scriptOf('1', 'app.js', 'own', 'handle'),
  scriptOf('2', 'lib.js', 'small'),
  scriptOf('3', 'other.js', 'tiny'),
];
const HANDLE: Frame = { functionName: 'handle', scriptId: '1', url: 'app.js', lineNumber: 3 };
const SMALL: Frame = { functionName: 'small', scriptId: '2', url: 'lib.js', lineNumber: 6 };
const TINY: Frame = { functionName: 'tiny', scriptId: '3', url: 'other.js', lineNumber: 6 };

type Node = CpuProfile['nodes'][number];
const nodeOf = (
  id: number,
  callFrame: Frame,
  ticks: Record<number, number>,
  ...children: number[]
): Node => {
  const positionTicks = Object.entries(ticks).map(([line, each]) => ({
    line: Number(line),
    ticks: each,
  }));
  return { id, callFrame, children, positionTicks };
};

/** Whose the time of the handler is, in hundredths. */
function handlerShares(...nodes: Node[]): Record<string, number> {
  const profile = { nodes, startTime: 0, samples: [], timeDeltas: [] };
  const calls = new Calls();
  calls.learn(nodes);
  const sourceOf = (url: string) => SOURCES[url] ?? null;
  const shares = sharesOf(profile, calls, SCRIPTS, sourceOf).get(1) ?? [];
  const sums: Record<string, number> = {};
  for (const { frame, share } of shares) {
    const name = frame?.functionName ?? 'nobody knows';
    sums[name] = (sums[name] ?? 0) + share * 100;
  }
  return sums;
}

describe('lines at which a function was found', () => {
  test('are its own where they are in it', () => {
    expect(handlerShares(nodeOf(1, HANDLE, { 4: 3, 5: 1 }))).toEqual({ handle: 100 });
  });

  test('are those of a function that it calls where they are in that one', () => {
    const nodes = [nodeOf(1, HANDLE, { 5: 25, 8: 75 }, 2), nodeOf(2, SMALL, {})];
    expect(handlerShares(...nodes)).toEqual({ handle: 25, small: 75 });
  });

  test('are those of a function that is called by one that it calls', () => {
    const nodes = [nodeOf(1, HANDLE, { 8: 1 }, 2), nodeOf(2, { ...SMALL, lineNumber: 0 }, {}, 3)];
    expect(handlerShares(...nodes, nodeOf(3, TINY, {}))).toEqual({ tiny: 100 });
  });

  test('fall to several such functions as often as each was found there by itself', () => {
    const nodes = [nodeOf(1, HANDLE, { 8: 10 }, 2, 3)];
    expect(handlerShares(...nodes, nodeOf(2, SMALL, { 8: 3 }), nodeOf(3, TINY, { 8: 1 }))).toEqual({
      small: 75,
      tiny: 25,
    });
    expect(handlerShares(...nodes, nodeOf(2, SMALL, {}), nodeOf(3, TINY, {}))).toEqual({
      'nobody knows': 100,
    });
  });

  test('are those of another function of the same script', () => {
    expect(handlerShares(nodeOf(1, HANDLE, { 2: 1 }))).toEqual({ own: 100 });
  });

  test('are nobody knows whose where no function that it calls has them', () => {
    expect(handlerShares(nodeOf(1, HANDLE, { 99: 1 }))).toEqual({ 'nobody knows': 100 });
  });

  test('stay with a function of which it is not known where it is', () => {
    const unknown = { ...HANDLE, scriptId: '9' };
    expect(handlerShares(nodeOf(1, unknown, { 99: 1 }))).toEqual({ handle: 100 });
  });
});
