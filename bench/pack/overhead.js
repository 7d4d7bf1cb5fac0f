#!/usr/bin/env node
/** The command of the npm package; an older Node could not even read the rest. */
const OLDEST = 22;
if (Number(process.versions.node.split('.')[0]) >= OLDEST) {
  await import('./src/cli.js');
} else {
  process.stderr.write(
    `overhead needs Node ${OLDEST} or later, and this is ${process.versions.node}.\n` +
      'Install a newer one, or add it to this project: npm install --save-dev node@24.\n',
  );
  process.exitCode = 2;
}
