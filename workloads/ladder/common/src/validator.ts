import { Ajv } from 'ajv';
import { ORDER_SCHEMA, type Order } from './order.js';

/** Whether a body is an order, by ajv, compiled once. */
export const isOrder = new Ajv().compile<Order>(ORDER_SCHEMA);
