import { Elysia } from 'elysia';
import mysql from 'mysql2/promise';
import { HOME, READER } from '../mysql/board.ts';
import { oneOf, required, settings } from '../mysql/settings.ts';
import { poolOptions, storeOf } from '../mysql/store.ts';

/** The message board in Elysia. */
const home = oneOf('HOME_PAGE', process.env.HOME_PAGE ?? 'handler', ['handler', 'static']);
const latest = storeOf(mysql.createPool(poolOptions()), settings(process.env));

// Elysia hands a literal to Bun, which answers with it and runs no JavaScript.
const app = new Elysia().get('/home', home === 'static' ? HOME : () => HOME);
app.get('/latest', () => latest(READER));
app.listen({ hostname: required('HOST'), port: Number(required('PORT')) });
