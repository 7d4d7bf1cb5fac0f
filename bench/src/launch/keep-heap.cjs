// Loaded by a server on Node before anything of its own: see resting.ts. In JavaScript, since it runs on any Node.
require('node:v8').setFlagsFromString('--gc-memory-reducer-start-delay-ms=2000000000');
