// A process whose worker threads are the servers: THREADS SCRIPT [ARGUMENT…]. `reuse-port.cjs` is loaded in each thread.
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';

const [threads, script, ...argv] = process.argv.slice(2);

for (let count = 0; count < Number(threads); count++) {
  const worker = new Worker(resolve(script), { argv });
  worker.on('message', (message) => {
    if (message?.kind === 'listening') process.send(message);
  });
  worker.on('error', (error) => console.error(error));
  worker.on('exit', (code) => {
    // The threads are measured together, as one server.
    process.send({ kind: 'ended', by: `code ${code}` }, () => process.exit(1));
  });
}
