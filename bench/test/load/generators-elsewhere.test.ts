import { expect, test } from 'vitest';
import { GeneratorsElsewhere } from '../../src/load/generators-elsewhere.ts';
import type { FromHarness } from '../../src/load/relay.ts';

/** A harness's side, and what it has sent. */
function harness() {
  const sent: FromHarness[] = [];
  return { sent, generators: new GeneratorsElsewhere((message) => sent.push(message)) };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

test('a generator is started, told a command, and answers', async () => {
  const { sent, generators } = harness();
  const starting = generators.start();
  generators.take({ kind: 'started', generator: 1 });
  const generator = await starting;
  const ended = generator.end();
  await turns();
  generators.take({ kind: 'told', generator: 1, message: { kind: 'ready' } });
  await ended;
  await generator[Symbol.asyncDispose]();
  expect(sent).toEqual([
    { kind: 'start', generator: 1 },
    { kind: 'tell', generator: 1, message: { kind: 'end' } },
    { kind: 'end', generator: 1 },
  ]);
});

test('one that is gone fails what it was told, with the reason', async () => {
  const { generators } = harness();
  const starting = generators.start();
  generators.take({ kind: 'started', generator: 1 });
  const generator = await starting;
  const ended = generator.end();
  generators.take({ kind: 'gone', generator: 1, reason: 'the load generator ended with SIGKILL' });
  await expect(ended).rejects.toThrow('ended with SIGKILL');
});

test('what one asks to be read is read here', async () => {
  const { sent, generators } = harness();
  const starting = generators.start();
  generators.take({ kind: 'started', generator: 1 });
  await starting;
  const request = { what: 'cpuNs', pids: [process.pid] };
  generators.take({ kind: 'told', generator: 1, message: { kind: 'read', number: 5, request } });
  for (let turn = 0; turn < 100 && sent.length < 2; turn++) await turns();
  expect(sent[1]).toMatchObject({
    message: { kind: 'reading', number: 5, outcome: { value: expect.any(Number) } },
  });
});
