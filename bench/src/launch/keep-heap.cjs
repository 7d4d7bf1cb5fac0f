// Loaded by a server on Node before its own code: see server.ts. JavaScript, to run on any Node.
require('node:v8').setFlagsFromString('--gc-memory-reducer-start-delay-ms=2000000000');
