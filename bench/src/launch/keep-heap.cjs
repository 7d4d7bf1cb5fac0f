// A server on Node loads this before its own code: see server.ts. JavaScript, since it runs on any Node.
require('node:v8').setFlagsFromString('--gc-memory-reducer-start-delay-ms=2000000000');
