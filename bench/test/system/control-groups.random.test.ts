import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type ControlGroup,
  hierarchiesOf,
  isInGroup,
  type Limit,
} from '../../src/system/control-groups.ts';
import { property, textOf } from '../support/random.ts';

const QUOTA: Limit = { controller: 'cpu', cores: 1 };
const name = fc.stringMatching(/^[a-z][\w.:@\\-]{0,8}$/);
const path = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join('/')}`);

property('the groups of a process are its own and those above it', path, (own) => {
  const [v2, ...others] = hierarchiesOf('cpu', `3:memory:/x\n0::${own}\n`, '/groups');
  expect(others).toEqual([]);
  expect(v2?.folders[0]).toBe(join('/groups', own));
  expect(v2?.folders.at(-1)).toBe('/groups/');
  expect(v2?.folders).toHaveLength(own === '/' ? 1 : own.split('/').length);
});

property('a process is in the group that it was put into', fc.tuple(path, name), ([above, own]) => {
  const group = { version: 2 as const, folder: join('/groups', above, own) };
  const membership = `0::${join(above, own)}\n`;
  const held = (each: ControlGroup) => ({ group: each, limits: [QUOTA] });
  expect(isInGroup(held(group), membership)).toBe(true);
  expect(isInGroup(held({ ...group, folder: `${group.folder}~` }), membership)).toBe(false);
  expect(isInGroup(held({ ...group, version: 1 }), membership)).toBe(false);
});

const texts = textOf('0::', '4:cpu,cpuacct:', ':', '/', 'a', '..', '.', '\n', ',');
property('of any text they are folders within the root', texts, (text) => {
  for (const { folders } of hierarchiesOf('cpu', text, '/groups')) {
    for (const folder of folders) expect(`${folder}/`).toMatch(/^\/groups\//);
  }
});
