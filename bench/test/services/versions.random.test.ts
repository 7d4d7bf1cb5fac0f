import fc from 'fast-check';
import { expect } from 'vitest';
import { versionIn } from '../../src/launch/instance.ts';
import { SERVICES } from '../../src/services/index.ts';
import { garbled, property } from '../support/random.ts';

const version = fc
  .array(fc.nat({ max: 200 }), { minLength: 2, maxLength: 4 })
  .map((parts) => parts.join('.'));
const SAYS = {
  redis: (own: string) => `Redis server v=${own} sha=00000000:0 malloc=jemalloc-5.3.0 bits=64\n`,
  mariadb: (own: string) => `mariadbd  Ver ${own}-MariaDB-1 for debian-linux-gnu on x86_64\n`,
};

for (const name of ['redis', 'mariadb'] as const) {
  const { version: how } = SERVICES[name];
  property(`the version of ${name} is read as it says it`, version, (own) => {
    expect(versionIn(SAYS[name](own), how)).toBe(own);
  });
  property(
    `whatever ${name} says is a version or unknown`,
    garbled(version.map(SAYS[name])),
    (said) => {
      expect(versionIn(said, how)).toMatch(/^\S+$/);
    },
  );
}
