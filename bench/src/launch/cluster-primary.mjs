// The primary of a server under Node's cluster module: PROCESSES SCRIPT [ARGUMENT…]. It restarts no worker.
// JavaScript, since stripping types takes 17 MB of memory, and a manager's memory is measured.
import cluster from 'node:cluster';

const [processes, exec, ...args] = process.argv.slice(2);

cluster.setupPrimary({ exec, args });
cluster.on('listening', ({ process: { pid } }) => process.send({ kind: 'listening', id: pid }));
cluster.on('exit', (_worker, code, signal) => {
  // The primary ends with this code when its last worker has ended.
  process.exitCode = 1;
  process.send({ kind: 'ended', by: signal ?? `code ${code}` });
});
for (let worker = 0; worker < Number(processes); worker++) cluster.fork();
