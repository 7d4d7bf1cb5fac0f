import { Elysia } from 'elysia';
import mysql from 'mysql2/promise';
import { READER, SHORT_HOME } from '../mysql/board.ts';
import { required, settings } from '../mysql/settings.ts';
import { poolOptions, storeOf } from '../mysql/store.ts';

/** The message board in Elysia, of the versions that were published or were new then. */
const latest = storeOf(mysql.createPool(poolOptions()), settings(process.env));

const app = new Elysia().get('/home', () => SHORT_HOME);
app.get('/latest', () => latest(READER));
app.listen({ hostname: required('HOST'), port: Number(required('PORT')) });
