/** Output of the kernel and other programs is read as it is meant; other text gives amounts or an error. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { groupsIn, parseThrottling, quotaCores } from '../../src/system/control-groups.ts';
import { parseFileLimit, parseHypervisor, parsePortRange } from '../../src/system/machine.ts';
import {
  numberAfter,
  parseList,
  parseStat,
  TICK_NS,
  wholeNumber,
} from '../../src/system/proc-files.ts';
import { parseTcpLine } from '../../src/system/sockets.ts';
import { parseSchedstat, parseSystem } from '../../src/system/usage.ts';
import { character, counts, garbled, property, textOf, unless } from '../support/random.ts';

const numbers = (length: number) => fc.array(counts, { minLength: length, maxLength: length });
const name = fc.oneof(fc.string({ unit: character }), textOf(')', '(', ' ', ') S 1'));
const stats = fc.record({ name, rest: numbers(49) }).map(({ name: own, rest }) => {
  return { rest, text: `7 (${own}) S ${rest.join(' ')}\n` };
});
const ofCores = numbers(9).map((ticks) => `cpu  ${ticks.join(' ')}\ncpu0 1 2 3\nintr 99 0\n`);

describe('of the kernel', () => {
  property('a stat is read by the numbers of proc(5), whatever its name', stats, (stat) => {
    const field = (number: number) => stat.rest[number - 4] ?? 0;
    expect(parseStat(stat.text)).toEqual({
      state: 'S',
      parent: field(4),
      group: field(5),
      pageFaults: field(10) + field(12),
      userNs: field(14) * TICK_NS,
      kernelNs: field(15) * TICK_NS,
      childrensNs: (field(16) + field(17)) * TICK_NS,
      startTicks: field(22),
    });
  });
  property('the busy time of all cores is the sum of its fields', ofCores, (text) => {
    const fields = text.split(/\s+/).map(Number);
    const [, user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, steal = 0] = fields;
    const busyNs = (user + nice + system + irq + soft) * TICK_NS;
    expect(parseSystem(text)).toEqual({ busyNs, stealNs: steal * TICK_NS });
  });
  property('a schedstat is read', numbers(3), (all) => {
    const [cpuNs, waitNs] = all;
    expect(parseSchedstat(`${all.join(' ')}\n`)).toEqual({ cpuNs, waitNs });
  });
  property('a number is that of the line with its label', numbers(2), ([own, other]) => {
    const text = `Rss: ${other} kB\nPss:   ${own} kB\nPss_Dirty: ${other} kB\nSwapPss: ${other} kB\n`;
    expect(numberAfter('Pss', text)).toBe(own);
    const switches = `nonvoluntary_switches:\t${other}\nvoluntary_switches:\t${own}\n`;
    expect(numberAfter('voluntary_switches', switches)).toBe(own);
    expect(numberAfter('absent', text, 7)).toBe(7);
    expect(() => numberAfter('VmHWM', text)).toThrow('VmHWM');
  });
  property('throttling is read in both versions', numbers(3), (group) => {
    const [periods = 0, throttledPeriods = 0, time = 0] = group;
    const stat = `usage_usec 9\nnr_periods ${periods}\nnr_throttled ${throttledPeriods}\n`;
    for (const [label, ns] of [
      ['throttled_time', 1],
      ['throttled_usec', 1000],
    ] as const) {
      const found = parseThrottling(`${stat}${label} ${time}\n`);
      expect(found).toEqual({ periods, throttledPeriods, throttledNs: time * ns });
    }
    const none = { periods: 0, throttledPeriods: 0, throttledNs: 0 };
    expect(parseThrottling('usage_usec 0\n')).toEqual(none);
  });
  property('a limit of files is read', counts, (amount) => {
    const limits = `Max processes   1   2   processes\nMax open files   ${amount}   ${amount}   files\n`;
    expect(parseFileLimit(limits)).toBe(amount);
  });
  const range = fc.tuple(fc.nat({ max: 65_535 }), fc.nat({ max: 65_535 }));
  property('a range of ports is as many as it holds', range, ([first, last]) => {
    const ports = last < first ? null : last - first + 1;
    expect(parsePortRange(`${first}\t${last}\n`)).toBe(ports);
  });
});

describe('cores', () => {
  /** As the kernel writes a list: `0-3,8`. */
  const written = (list: number[]) => {
    const ends = list.filter((core) => !(list.includes(core - 1) && list.includes(core + 1)));
    const parts = ends.map((core) => (list.includes(core - 1) ? `-${core}` : `,${core}`));
    return parts.join('').slice(1);
  };
  const numbersOfCores = fc.uniqueArray(fc.nat({ max: 500 }), { minLength: 1, maxLength: 60 });
  const cores = numbersOfCores.map((list) => list.toSorted((a, b) => a - b));
  property('a list is read as it is written', cores, (list) => {
    expect(parseList(written(list))).toEqual(list);
  });
  const lists = fc.oneof(textOf('0', '3', ',', '-', '99999'), garbled(cores.map(written)));
  property('any other list is one of cores or an error', lists, (text) => {
    const found = unless(Error, () => parseList(text)) ?? [0];
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
    expect(found.length).toBeGreaterThan(0);
  });
});

describe('control groups', () => {
  const part = fc.stringMatching(/^[a-z][\w.:@\\-]{0,8}$/);
  const path = fc.array(part, { maxLength: 4 }).map((names) => `/${names.join('/')}`);
  const foldersIn = (cgroup: string) => {
    return groupsIn(cgroup, 'cpu', '/groups').map(({ folder }) => folder);
  };
  property('of a process are its own and those above it', path, (own) => {
    const folders = foldersIn(`3:memory:/x\n0::${own}\n`);
    expect(folders[0]).toBe(join('/groups', own));
    expect(folders.at(-1)).toBe('/groups/');
    expect(folders).toHaveLength(own === '/' ? 1 : own.split('/').length);
  });
  const texts = textOf('0::', '4:cpu,cpuacct:', ':', '/', 'a', '..', '.', '\n', ',');
  property('of any text are folders within the root', texts, (text) => {
    for (const folder of foldersIn(text)) expect(`${folder}/`).toMatch(/^\/groups\//);
  });
  const us = fc.integer({ min: 1, max: 10_000_000 });
  const limit = fc.record({ quota: fc.option(us), period: us });
  const quotas = fc.array(limit, { minLength: 1, maxLength: 4 });
  property('allow the least quota of all of them', quotas, (groups) => {
    const files = new Map([['/proc/self/cgroup', `0::${groups.map(() => '/g').join('')}\n`]]);
    for (const [depth, { quota, period }] of groups.entries()) {
      const folder = `/sys/fs/cgroup${'/g'.repeat(depth + 1)}`;
      files.set(`${folder}/cpu.max`, `${quota ?? 'max'} ${period}\n`);
    }
    const cores = groups.map(({ quota, period }) => (quota ?? Number.POSITIVE_INFINITY) / period);
    expect(quotaCores((file) => files.get(file) ?? null)).toBe(Math.min(...cores));
  });
  const max = textOf('0::/a', '4:cpu:/', '\n', 'max ', '-1', '100000', ' ', '0', 'Infinity', '1e9');
  property('of any text allow more than nothing', fc.tuple(max, max), ([membership, quota]) => {
    const cores = quotaCores((file) => (file === '/proc/self/cgroup' ? membership : quota));
    expect(cores).toBeGreaterThan(0);
  });
});

describe('sockets', () => {
  const port = fc.nat({ max: 65_535 });
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(4, '0');
  /** Addresses as the kernel writes them, and whether only this machine can reach them. */
  const ADDRESSES: Record<string, boolean> = {
    '0100007F': true,
    '0201A87F': true,
    '0000000000000000FFFF00000100007F': true,
    '00000000000000000000000001000000': true,
    '00000000': false,
    '0101A8C0': false,
    '0000000000000000FFFF00000101A8C0': false,
    '00000000000000000000000000000000': false,
  };
  const STATES = { '01': 'established', '0A': 'listening', '06': 'other' } as const;
  const sockets = fc.record({
    number: fc.nat(),
    address: fc.constantFrom(...Object.keys(ADDRESSES)),
    local: port,
    remote: port,
    code: fc.constantFrom('01', '0A', '06'),
    inode: counts,
  });
  const lines = sockets.map(({ number, address, local, remote, code, inode }) => {
    const ends = `${address}:${hex(local)} ${address}:${hex(remote)}`;
    const queues = '00000001:0000000A 01:00000014 00000000  1000        0';
    const line = `${number}: ${ends} ${code} ${queues} ${inode} 1 0000000 20 4 30 10 -1`;
    const read = {
      ...{ state: STATES[code], isLoopback: ADDRESSES[address], inode: String(inode) },
      ...{ localPort: local, remotePort: remote },
    };
    return { read, line: line.padStart(line.length + (number % 3)) };
  });
  property('are read as they are written', lines, ({ read, line }) => {
    expect(parseTcpLine(line)).toEqual(read);
  });
  const others = fc.oneof(fc.string({ unit: character }), garbled(lines.map(({ line }) => line)));
  property('are in any other line, or none', others, (line) => {
    const socket = parseTcpLine(line);
    if (socket === null) return;
    for (const each of [socket.localPort, socket.remotePort]) {
      expect(each).toBeGreaterThanOrEqual(0);
      expect(each).toBeLessThanOrEqual(65_535);
    }
    expect(socket.inode).toMatch(/^\d+$/);
  });
});

const cpuStats = counts.map((count) => `nr_periods ${count}\nthrottled_usec ${count}\n`);
const fileLimits = ['1024', 'unlimited'].map((amount) => `Max open files  ${amount}  9  files\n`);
/** What reads amounts, and texts to read them from. */
const READERS: Record<string, [(text: string) => unknown, fc.Arbitrary<string>]> = {
  parseStat: [parseStat, stats.map(({ text }) => text)],
  parseSystem: [parseSystem, ofCores],
  parseSchedstat: [parseSchedstat, numbers(3).map((all) => all.join(' '))],
  numberAfter: [(text) => numberAfter('Pss', text), counts.map((kb) => `Pss: ${kb} kB\n`)],
  parseThrottling: [parseThrottling, cpuStats],
  parseFileLimit: [parseFileLimit, fc.constantFrom(...fileLimits)],
  parsePortRange: [parsePortRange, fc.constant('32768\t60999\n')],
};
const words = ['cpu ', 'Pss:', 'nr_periods ', ' kB', '\n', ' ', '7', '-1', ')', '9'.repeat(30)];
const pieces = textOf(...words);
describe.each(Object.entries(READERS))('%s', (_, [read, texts]) => {
  property('makes amounts or an error of any text', fc.oneof(pieces, garbled(texts)), (text) => {
    const found = unless(Error, () => read(text)) ?? 0;
    const { state: _state, group: _group, ...amounts } = Object(found);
    for (const amount of typeof found === 'number' ? [found] : Object.values(amounts)) {
      expect(amount).toBeGreaterThanOrEqual(0);
      expect(amount).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  });
});

property('a whole number is its digits, or an error', textOf('0', '12', '-', '.', 'e9'), (text) => {
  const found = unless(Error, () => wholeNumber(text, 'test'));
  if (found !== undefined) expect(found).toBe(Number(BigInt(text)));
});

property('a hypervisor has a name', garbled(fc.constant('Hypervisor vendor:   KVM\n')), (text) => {
  expect(parseHypervisor(text) ?? 'none').toMatch(/^\S.*$/);
});
