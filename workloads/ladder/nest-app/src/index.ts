export { serving } from './app.module.js';
export { loggingOf, serve } from './application.js';
