import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../../src/base/places.ts';
import { recordSchema } from '../../src/record/record.ts';

test('the JSON Schema of a record in docs is that of the code; `vitest --update` writes it', async () => {
  // As it stands in a file, where what has a default may be absent.
  const schema = z.toJSONSchema(recordSchema, { io: 'input' });
  const text = `${JSON.stringify({ title: 'A record of overhead', ...schema }, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(ROOT, 'docs/record.schema.json'));
});
