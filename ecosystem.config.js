// `pnpm build && pm2 start ecosystem.config.js`: every target as a pm2 cluster, on the port that it
// declares. `--only fib-cpu` starts one of them, `INSTANCES=2` sets the number of processes.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

// pm2 runs on whatever Node people have. The pinned one, which the harness is for, tells the apps.
const node = join(__dirname, 'node_modules/node/bin/node');
const told = spawnSync(node, [join(__dirname, 'bench/src/launch/print-pm2-config.ts')], {
  encoding: 'utf8',
});

// pm2 prints what a config throws, and an Error with its stack: throw the message and what to do.
if (told.error) throw `error: no pinned Node: ${told.error.message}\nRun \`pnpm build\` first.`;
if (told.status !== 0) throw told.stderr.trimEnd();

module.exports = { apps: JSON.parse(told.stdout) };
