import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Calls } from '../../src/run/inlined.ts';
import { addProfile, attributor } from '../../src/run/profiles.ts';
import type { Frame, Sampled } from '../../src/system/inspector.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

function frame(functionName: string, parts: Partial<Frame> = {}): Frame {
  return { functionName, scriptId: '0', url: '', lineNumber: -1, ...parts };
}

const THING = 'app/node_modules/.pnpm/thing@2.3.4/node_modules/thing';

/** The folder of a target with a package, which has a manifest without a name further down. */
function makeApp({ path, write }: TemporaryFolder): string {
  write('app/package.json', { name: 'my-app', version: '1.0.0' });
  write(`${THING}/package.json`, { name: 'thing', version: '2.3.4' });
  write(`${THING}/esm/package.json`, { type: 'module' });
  return join(path, 'app');
}

describe('whom a frame is charged to', () => {
  test('is the package that its file is in, past manifests without a name', () => {
    using folder = temporaryFolder();
    const app = makeApp(folder);
    const file = join(folder.path, THING, 'esm/index.js');
    const at = { scriptId: '7', url: pathToFileURL(file).href, lineNumber: 11 };
    expect(attributor(app)(frame('handle', at))).toEqual({
      owner: { kind: 'package', name: 'thing', version: '2.3.4' },
      name: 'handle',
      file: 'esm/index.js',
      line: 12,
    });
    // CommonJS has paths where modules have addresses.
    expect(attributor(app)(frame('', { ...at, url: file })).name).toBe('(anonymous)');
  });

  test('is the target itself, Node, native code, or what has no file', () => {
    using folder = temporaryFolder();
    const app = makeApp(folder);
    const kindOf = (name: string, parts: Partial<Frame> = {}) => {
      return attributor(app)(frame(name, parts)).owner.kind;
    };
    expect(kindOf('main', { scriptId: '7', url: join(app, 'dist/main.js') })).toBe('own');
    expect(kindOf('emit', { scriptId: '8', url: 'node:events' })).toBe('node');
    expect(kindOf('writev')).toBe('native');
    expect(kindOf('parse', { scriptId: '9', url: 'wasm://wasm/1234' })).toBe('native');
    expect(kindOf('anonymous', { scriptId: '10' })).toBe('generated');
    expect(kindOf('run', { scriptId: '11', url: 'evalmachine.<anonymous>' })).toBe('generated');
    expect(kindOf('(garbage collector)')).toBe('collector');
    expect(kindOf('(program)')).toBe('program');
    expect(kindOf('(idle)')).toBe('idle');
    expect(kindOf('(root)')).toBe('unknown');
    expect(kindOf('lost', { scriptId: '12', url: '/nowhere/at/all.js' })).toBe('unknown');
  });
});

describe('what a profile saw', () => {
  /** Samples at 10, 20, 50 and 60 µs, from 1,000 µs on: the third one is late. */
  const PROFILE: Sampled = {
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
  const charge = ({ functionName: name }: Frame) => {
    return { owner: { kind: 'native' } as const, name, file: null, line: null };
  };
  const EMPTY = { cell: 'a', launch: 0, samples: 0, functions: [] };
  const ALL = { openedNs: 1_000_000, ns: 1e6 };
  const timesOf = (profile: typeof EMPTY | ReturnType<typeof addProfile>) => {
    return Object.fromEntries(profile.functions.map(({ name, ns }) => [name, ns]));
  };

  test('counts by the time since the sample before, not by samples', () => {
    const seen = addProfile(EMPTY, PROFILE, ALL, new Calls(), charge);
    expect(timesOf(seen)).toEqual({ one: 40_000, two: 20_000 });
    expect(seen.samples).toBe(4);
  });

  test('counts inside the window alone: neither the start nor the stop of the sampler', () => {
    const seen = addProfile(
      EMPTY,
      PROFILE,
      { openedNs: 1_015_000, ns: 30_000 },
      new Calls(),
      charge,
    );
    expect(timesOf(seen)).toEqual({ two: 5000, one: 25_000 });
    expect(seen.samples).toBe(2);
  });

  test('adds up over the slices of a launch', () => {
    const once = addProfile(EMPTY, PROFILE, ALL, new Calls(), charge);
    expect(timesOf(addProfile(once, PROFILE, ALL, new Calls(), charge))).toEqual({
      one: 80_000,
      two: 40_000,
    });
  });
});
