import { expect, test } from 'vitest';
import { Calls, sharesOf } from '../../src/run/inlined.ts';
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
    const endOffset = source.indexOf('}', startOffset);
    return { functionName, ranges: [{ startOffset, endOffset }] };
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

/** A function, how often it was found at lines, and those that it calls. */
type Found = [frame: Frame, ticks: Record<number, number>, ...calls: number[]];

const HANDLER_CALLS_BOTH: Found = [HANDLE, { 8: 10 }, 2, 3];

test.each<[string, Found[], Record<string, number>]>([
  ['its own, where they are in it', [[HANDLE, { 4: 3, 5: 1 }]], { handle: 100 }],
  [
    'those of a function that it calls, where they are in that one',
    [
      [HANDLE, { 5: 25, 8: 75 }, 2],
      [SMALL, {}],
    ],
    { handle: 25, small: 75 },
  ],
  [
    'those of a function that is called by one that it calls',
    [
      [HANDLE, { 8: 1 }, 2],
      [{ ...SMALL, lineNumber: 0 }, {}, 3],
      [TINY, {}],
    ],
    { tiny: 100 },
  ],
  [
    'those of several functions, as often as each was found there by itself',
    [HANDLER_CALLS_BOTH, [SMALL, { 8: 3 }], [TINY, { 8: 1 }]],
    { small: 75, tiny: 25 },
  ],
  [
    'of several functions that were never found there by themselves',
    [HANDLER_CALLS_BOTH, [SMALL, {}], [TINY, {}]],
    { 'nobody knows': 100 },
  ],
  ['those of another function of the same script', [[HANDLE, { 2: 1 }]], { own: 100 }],
  ['in no function that it calls', [[HANDLE, { 99: 1 }]], { 'nobody knows': 100 }],
  [
    'in a function of which it is not known where it is, to which they are left',
    [[{ ...HANDLE, scriptId: '9' }, { 99: 1 }]],
    { handle: 100 },
  ],
])('lines at which a function was found are %s', (_, found, expected) => {
  const nodes: CpuProfile['nodes'] = found.map(([callFrame, ticks, ...children], index) => {
    const positionTicks = Object.entries(ticks).map(([line, each]) => {
      return { line: Number(line), ticks: each };
    });
    return { id: index + 1, callFrame, children, positionTicks };
  });
  const calls = new Calls();
  calls.learn(nodes);
  const profile = { nodes, startTime: 0, samples: [], timeDeltas: [] };
  const sums: Record<string, number> = {};
  const sourceOf = (url: string) => SOURCES[url] ?? null;
  for (const { frame, share } of sharesOf(profile, calls, SCRIPTS, sourceOf).get(1) ?? []) {
    const name = frame?.functionName ?? 'nobody knows';
    sums[name] = (sums[name] ?? 0) + share * 100;
  }
  expect(sums).toEqual(expected);
});
