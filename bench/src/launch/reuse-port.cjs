// Loaded by a server on Node before its own code: makes all its sockets listen with SO_REUSEPORT, so that processes or
// threads can share a port. JavaScript, to run on any Node.
const { Server } = require('node:net');
const { parentPort, threadId } = require('node:worker_threads');

const { listen } = Server.prototype;

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12) || (major === 23 && minor < 1)) {
  throw new Error(`Node ${process.versions.node} can't share a port: 22.12, 23.1 and later can`);
}

Server.prototype.listen = function (first, ...rest) {
  if (parentPort !== null) {
    this.once('listening', () => parentPort.postMessage({ kind: 'listening', id: threadId }));
  }
  if (typeof first === 'object' && first !== null) {
    return listen.call(this, { ...first, reusePort: true }, ...rest);
  }
  // The path of a socket, or nothing: no port to share.
  if (Number.isNaN(Number(first))) return listen.call(this, first, ...rest);
  const callback = rest.find((each) => typeof each === 'function');
  const host = rest.find((each) => typeof each === 'string');
  const backlog = rest.find((each) => typeof each === 'number');
  return listen.call(this, { port: first, host, backlog, reusePort: true }, callback);
};
