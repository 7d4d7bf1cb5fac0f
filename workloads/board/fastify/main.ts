import Fastify from 'fastify';
import mysql from 'mysql2/promise';
import { HOME, READER } from '../mysql/board.ts';
import { required, settings } from '../mysql/settings.ts';
import { poolOptions, storeOf } from '../mysql/store.ts';
import { HOME_SCHEMA, LIST_SCHEMA } from './schemas.ts';

/** The message board in Fastify. */
const latest = storeOf(mysql.createPool(poolOptions()), settings(process.env));

const app = Fastify();
app.get('/home', { schema: { response: { 200: HOME_SCHEMA } } }, async () => HOME);
app.get('/latest', { schema: { response: { 200: LIST_SCHEMA } } }, () => latest(READER));
await app.listen({ host: required('HOST'), port: Number(required('PORT')) });
