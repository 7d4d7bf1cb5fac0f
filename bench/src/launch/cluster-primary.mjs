/**
 * The primary of a server under Node's own cluster module: PROCESSES SCRIPT [ARGUMENT…]. It reports every worker that
 * listens or ends to the harness, and restarts none. JavaScript, since a manager's memory is measured, and stripping
 * types alone takes 17 MB.
 */
import cluster from 'node:cluster';

const [processes, exec, ...args] = process.argv.slice(2);

cluster.setupPrimary({ exec, args });
cluster.on('listening', ({ process: { pid } }) => process.send({ kind: 'listening', id: pid }));
cluster.on('exit', (_worker, code, signal) => {
  // Its exit code once no worker is left.
  process.exitCode = 1;
  process.send({ kind: 'ended', by: signal ?? `code ${code}` });
});
for (let worker = 0; worker < Number(processes); worker++) cluster.fork();
