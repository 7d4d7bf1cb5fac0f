import { expect, test } from 'vitest';
import { CallGraph, inlinedShares } from '../../src/run/inlining.ts';
import type { CpuProfile, Frame, Script } from '../../src/system/inspector.ts';

/** A handler that calls two small functions of other scripts, and one of its own. */
const SOURCES: Record<string, string> = {
  'app.js': '// the app\nfunction own() {\n}\nfunction handle() {\n  all();\n}',
  'lib.js': '\n\n\n\n\n\nfunction small() {\n  add();\n}',
  'other.js': '\n\n\n\n\n\nfunction tiny() {\n  add();\n}',
};

function scriptOf(scriptId: string, url: string, ...names: string[]): Script {
  const source = SOURCES[url] ?? '';
  const functions = names.map((functionName) => {
    const startOffset = source.indexOf(`function ${functionName}`);
    return { functionName, ranges: [{ startOffset, endOffset: source.indexOf('}', startOffset) }] };
  });
  return { scriptId, url, functions };
}

const SCRIPTS = [
  scriptOf('1', 'app.js', 'own', 'handle'),
  scriptOf('2', 'lib.js', 'small'),
  scriptOf('3', 'other.js', 'tiny'),
];
const HANDLE: Frame = { functionName: 'handle', scriptId: '1', url: 'app.js', lineNumber: 3 };
const SMALL: Frame = { functionName: 'small', scriptId: '2', url: 'lib.js', lineNumber: 6 };
const TINY: Frame = { functionName: 'tiny', scriptId: '3', url: 'other.js', lineNumber: 6 };
const ELSEWHERE = { ...HANDLE, scriptId: '9' };
const VIA = { ...SMALL, lineNumber: 0 };

/** A function, the samples at its lines, and the functions that it calls, by their places. */
type Node = [frame: Frame, ticks: Record<number, number>, ...calls: number[]];

const CALLS_SMALL: Node = [HANDLE, { 5: 25, 8: 75 }, 2];
const CALLS_BOTH: Node = [HANDLE, { 8: 10 }, 2, 3];
const IDLE: Node = [SMALL, {}];
const PASSES_ON: Node = [VIA, {}, 3];

test.each<[string, Node[], Record<string, number>]>([
  ['itself, if they are inside it', [[HANDLE, { 4: 3, 5: 1 }]], { handle: 100 }],
  ['the callee they are in', [CALLS_SMALL, IDLE], { handle: 25, small: 75 }],
  ['the callee of a callee', [CALLS_SMALL, PASSES_ON, [TINY, {}]], { handle: 25, tiny: 75 }],
  // In proportion to their own samples there.
  ['several callees', [CALLS_BOTH, [SMALL, { 8: 3 }], [TINY, { 8: 1 }]], { small: 75, tiny: 25 }],
  ['none of several that have no samples', [CALLS_BOTH, IDLE, [TINY, {}]], { '?': 100 }],
  ['another function of the same script', [[HANDLE, { 2: 1 }]], { own: 100 }],
  ['no function, if no callee is there', [[HANDLE, { 99: 1 }]], { '?': 100 }],
  ['itself, if its own lines are unknown', [[ELSEWHERE, { 99: 1 }]], { handle: 100 }],
])('samples of a function belong to %s', (_, given, expected) => {
  const nodes: CpuProfile['nodes'] = given.map(([callFrame, ticks, ...children], index) => {
    const positionTicks = Object.entries(ticks).map(([line, each]) => {
      return { line: Number(line), ticks: each };
    });
    return { id: index + 1, callFrame, children, positionTicks };
  });
  const calls = new CallGraph();
  calls.add(nodes);
  const sums: Record<string, number> = {};
  const sourceOf = (url: string) => SOURCES[url] ?? null;
  for (const { frame, share } of inlinedShares(nodes, calls, SCRIPTS, sourceOf).get(1) ?? []) {
    const name = frame?.functionName ?? '?';
    sums[name] = (sums[name] ?? 0) + share * 100;
  }
  expect(sums).toEqual(expected);
});
