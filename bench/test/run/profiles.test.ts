import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { CallGraph, inlinedShares } from '../../src/run/inlining.ts';
import { addCollected, addSampled, attributor } from '../../src/run/profiles.ts';
import type { CpuProfile, Frame, SampledProfile, Script } from '../../src/system/inspector.ts';
import { makeMeasurement } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function frame(functionName: string, parts: Partial<Frame> = {}): Frame {
  return { functionName, scriptId: '0', url: '', lineNumber: -1, ...parts };
}

const THING = 'app/node_modules/.pnpm/thing@2.3.4/node_modules/thing';

/** The folder of a target with a package, which has a manifest without a name further down. */
function makeApp() {
  const folder = temporaryFolder();
  folder.write('app/package.json', { name: 'my-app', version: '1.0.0' });
  folder.write(`${THING}/package.json`, { name: 'thing', version: '2.3.4' });
  folder.write(`${THING}/esm/package.json`, { type: 'module' });
  return { app: join(folder.path, 'app'), ...folder };
}

test('a frame belongs to the package that its file is in, past manifests without a name', () => {
  using folder = makeApp();
  const file = join(folder.path, THING, 'esm/index.js');
  const at = { scriptId: '7', url: pathToFileURL(file).href, lineNumber: 11 };
  expect(attributor(folder.app)(frame('handle', at))).toEqual({
    owner: { kind: 'package', name: 'thing', version: '2.3.4' },
    name: 'handle',
    file: 'esm/index.js',
    line: 12,
  });
  // CommonJS has paths where modules have URLs.
  expect(attributor(folder.app)(frame('', { ...at, url: file })).name).toBe('(anonymous)');
});

test.each([
  ['main', { scriptId: '7', url: 'APP/dist/main.js' }, 'own'],
  ['emit', { scriptId: '8', url: 'node:events' }, 'node'],
  ['writev', {}, 'native'],
  ['parse', { scriptId: '9', url: 'wasm://wasm/1234' }, 'native'],
  ['anonymous', { scriptId: '10' }, 'generated'],
  ['run', { scriptId: '11', url: 'evalmachine.<anonymous>' }, 'generated'],
  ['(garbage collector)', {}, 'collector'],
  ['(program)', {}, 'program'],
  ['(idle)', {}, 'idle'],
  ['(root)', {}, 'unknown'],
  ['lost', { scriptId: '12', url: '/nowhere/at/all.js' }, 'unknown'],
])('the frame %s with %j belongs to what is %s', (name, parts: Partial<Frame>, kind) => {
  using folder = makeApp();
  const url = parts.url?.replace('APP', folder.app) ?? '';
  expect(attributor(folder.app)(frame(name, { ...parts, url })).owner.kind).toBe(kind);
});

/** Samples at 10, 20, 50 and 60 µs, from 1,000 µs on: the third one is late. */
const SAMPLED: SampledProfile = {
  profile: {
    startTime: 1000,
    nodes: [
      { id: 1, callFrame: frame('one'), children: [2], positionTicks: [] },
      { id: 2, callFrame: frame('two'), children: [], positionTicks: [] },
    ],
    samples: [1, 2, 1, 2],
    timeDeltas: [10, 10, 30, 10],
  },
  scripts: [],
  builtins: {},
};

/** A slice whose window opens at this instant, ns, and takes so many seconds. */
function sliceAt(openedNs: number, windowS: number, launch = 0, cell = 'a') {
  return { cell, launch, measurement: makeMeasurement({ ok: 1000, windowS, openedNs }) };
}
const ALL = sliceAt(1e6, 0.001);

test.each([
  ['by the time since the one before', [ALL], { one: 40_000, two: 20_000 }, 4],
  ['only inside the window', [sliceAt(1_015_000, 30e-6)], { two: 5000, one: 25_000 }, 2],
  ['over all slices of a launch', [ALL, ALL], { one: 80_000, two: 40_000 }, 8],
])('samples count %s', (_, slices, times, samples) => {
  const record: Pick<RunRecord, 'profiles'> = { profiles: [] };
  const native = ({ functionName: name }: Frame) => {
    return { owner: { kind: 'native' as const }, name, file: null, line: null };
  };
  for (const slice of slices) {
    addSampled(slice, SAMPLED, new CallGraph(), native, record);
  }
  const functions = record.profiles[0]?.functions.map(({ name, ns }) => [name, ns]) ?? [];
  expect(Object.fromEntries(functions)).toEqual(times);
  expect(record.profiles).toMatchObject([{ cell: 'a', launch: 0, samples }]);
});

test('collections count inside windows, for all slices of a cell in a launch together', () => {
  const record: Pick<RunRecord, 'collected'> = { collected: [] };
  const inside = { beganNs: 1.5e9, ns: 5e6 };
  const all = [
    { beganNs: 0.5e9, ns: 1e6 },
    // Into the window, and out of it.
    { beganNs: 0.999e9, ns: 3e6 },
    inside,
    { beganNs: 1.996e9, ns: 7e6 },
    { beganNs: 2.5e9, ns: 1e6 },
  ];
  addCollected(sliceAt(1e9, 1), all, record);
  expect(record.collected).toEqual([{ cell: 'a', launch: 0, ns: 11e6 }]);
  addCollected(sliceAt(1e9, 1), [inside], record);
  addCollected(sliceAt(1e9, 1, 0, 'b'), [], record);
  addCollected(sliceAt(1e9, 1, 1), [inside], record);
  expect(record.collected).toEqual([
    { cell: 'a', launch: 0, ns: 16e6 },
    { cell: 'b', launch: 0, ns: 0 },
    { cell: 'a', launch: 1, ns: 5e6 },
  ]);
});

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
