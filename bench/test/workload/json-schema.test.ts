import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../../src/base/places.ts';
import { workloadSchema } from '../../src/workload/declaration.ts';

test('what a declaration may hold is told to editors', async () => {
  const text = `${JSON.stringify(z.toJSONSchema(workloadSchema, { io: 'input' }), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(ROOT, 'docs/workload.schema.json'));
});
