#!/usr/bin/env node
/**
 * A fake cluster in a folder, FAKE_CLUSTER: each resource is a file there, and the pods of a TestRun are k6 processes on
 * this machine, one for each segment, like those of the operator. FAKE_FAULT makes a stage fail.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

const { FAKE_CLUSTER: cluster, FAKE_FAULT: fault } = process.env;
const [, namespace, verb, ...rest] = process.argv.slice(2);
const at = (...names) => join(cluster, ...names);
const fileOf = ({ kind, metadata: { name } }) => at(`${kind}-${name}.json`.toLowerCase());
const listed = () => JSON.parse(readFileSync(0, 'utf8')).items;

function startPods({ metadata: { name }, spec }) {
  const { data } = JSON.parse(readFileSync(at(`configmap-${name}.json`), 'utf8'));
  const { parallelism, runner } = spec;
  const ends = Array.from({ length: parallelism + 1 }, (_, end) => `${end}/${parallelism}`);
  const sequence = ['0', ...ends.slice(1, -1), '1'];
  mkdirSync(at('results'));
  for (let pod = 0; pod < parallelism; pod++) {
    const podName = `${name}-${pod + 1}-abcde`;
    mkdirSync(at(podName));
    for (const [file, text] of Object.entries(data)) writeFileSync(at(podName, file), text);
    const variables = runner.env.map(({ name: variable, value }) => {
      const expanded = value?.replaceAll('$(POD_NAME)', podName) ?? podName;
      return [variable, expanded.replace(/^\/results/, at('results'))];
    });
    if (fault === 'lost' && pod === 1) continue;
    const segment = ['--execution-segment', `${sequence[pod]}:${sequence[pod + 1]}`];
    const args = [
      'run',
      '--quiet',
      '--address',
      '',
      ...segment,
      '--execution-segment-sequence',
      sequence.join(),
    ];
    const errors = openSync(at(podName, 'stderr'), 'w');
    const child = spawn('k6', [...args, 'script.mjs'], {
      cwd: at(podName),
      env: { ...process.env, ...Object.fromEntries(variables) },
      detached: true,
      stdio: ['ignore', 'ignore', errors],
    });
    child.unref();
  }
}

function stageOf() {
  if (fault === 'error') return 'error';
  const pods = readdirSync(cluster).filter((name) => name.endsWith('-abcde'));
  const done = readdirSync(at('results')).filter((name) => name.endsWith('.summary'));
  return done.length === pods.length - (fault === 'lost' ? 1 : 0) ? 'finished' : 'started';
}

switch (verb) {
  case 'apply':
    for (const item of listed()) {
      if (item.metadata.namespace !== namespace) throw new Error(`in ${item.metadata.namespace}`);
      writeFileSync(fileOf(item), JSON.stringify(item));
      if (item.kind === 'TestRun') startPods(item);
    }
    break;
  case 'get':
    console.log(JSON.stringify({ status: { stage: stageOf() } }));
    break;
  case 'wait':
    if (!existsSync(at(`${rest[0].replace('/', '-')}.json`))) throw new Error('no such pod');
    break;
  case 'exec': {
    const [program, ...files] = rest.slice(rest.indexOf('--') + 1);
    if (program === 'ls') console.log(readdirSync(at('results')).join('\n'));
    else
      for (const file of files) process.stdout.write(readFileSync(at('results', basename(file))));
    break;
  }
  case 'delete':
    for (const item of listed()) {
      rmSync(fileOf(item), { force: true });
      if (item.kind === 'TestRun')
        for (const name of readdirSync(cluster)) rmSync(at(name), { recursive: true });
    }
    break;
  default:
    throw new Error(`kubectl ${verb}`);
}
