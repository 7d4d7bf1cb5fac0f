/**
 * Express whose requests and responses have the app's prototypes from the start with `right`, so that Express's
 * `Object.setPrototypeOf` changes nothing; the usual Express without. The difference is what that change costs:
 *
 *     pnpm bench ab 'node docs/scripts/right-prototypes.cjs' 'node docs/scripts/right-prototypes.cjs right'
 */
const { createServer, IncomingMessage, ServerResponse } = require('node:http');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const ofPackage = createRequire(join(__dirname, '../../packages/express-app/package.json'));
const app = ofPackage('express')();
app.get('/', (_, response) => response.type('text/plain').send('Hello World!'));

/** A class that makes what `Base` makes, with this prototype. */
function withPrototype(Base, prototype) {
  function Own(...given) {
    return Reflect.construct(Base, given, Own);
  }
  Own.prototype = prototype;
  return Own;
}

const right = {
  IncomingMessage: withPrototype(IncomingMessage, app.request),
  ServerResponse: withPrototype(ServerResponse, app.response),
};
const { PORT, HOST } = process.env;
createServer(process.argv[2] === 'right' ? right : {}, app).listen(Number(PORT), HOST);
